import type { Entry } from '../../model/calendar.ts';
import { utf8Bytes } from '../../model/formats/bytes.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { textToHtml } from '../../model/html/sanitize.ts';
import { instantOf, utcOf } from '../../model/time/datetime.ts';
import { toUtc } from '../../model/time/time.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';
import { addressOf, listingOf, type Place } from './addresses.ts';
import { eventsAt } from './feed.ts';

const members = new Set(['id', 'url', 'title', 'excerpt', 'description', 'start_date', 'modified_utc', 'tags', 'author', 'status']);

/** Characters that XML can't have, not even encoded (XML 1.0, 2.2). */
const withoutControls = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');

const element = (name: string, text: unknown): string => `<${name}>${textToHtml(withoutControls(String(text ?? '')))}</${name}>`;

/** A date in UTC as RFC 822 has it. */
const dateOf = (utc: unknown): string => new Date(instantOf(String(utc))).toUTCString().replace('GMT', '+0000');

/** Maximum number of words of a description in RSS. */
const maxWords = 30;

/** The excerpt of an event, or the first words of its description, as text in HTML. */
function summaryOf(excerpt: unknown, description: unknown): string {
  const plain = htmlToLine(String(excerpt ?? ''));
  const words = htmlToLine(String(description ?? '')).split(' ');
  const start = textToHtml(withoutControls(plain || words.slice(0, maxWords).join(' ')));
  return `${start}${!plain && words.length > maxWords ? ' [&#8230;]' : ''}`;
}

const namesOf = (terms: unknown): string[] => ((terms ?? []) as Entry[]).map(({ name }) => htmlToLine(String(name)));
const attribute = (text: unknown): string => textToHtml(withoutControls(String(text)));

/** A list of events as RSS or Atom, in the form of the reference: the date of an item is the start of the event, read in the zone of the calendar. */
export async function newsFeed(call: Call, place: Place): Promise<Result> {
  const { service, viewer } = call;
  const { entries } = await eventsAt(call, await listingOf(call, place), members, viewer);
  const { zone } = service.requestContext();
  const modified = entries.map((entry) => String(entry.modified_utc)).sort();
  const feed = { title: ['Upcoming Events', service.title()].filter(Boolean).join(' – '), zone, modified: modified.at(-1) };
  const lines = (place.format === 'atom' ? atom : rss)(call, place, entries, feed);
  const bytes = utf8Bytes(`${['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join('\n')}\n`);
  const type = `application/${place.format}+xml; charset=UTF-8`;
  return { status: 200, headers: { 'Content-Type': type }, body: { pieces: [bytes], tag: tagOf(bytes) } };
}

/** The title, time zone and last change of a feed. */
interface Feed {
  title: string;
  zone: string;
  /** Date of the last change of an event, in UTC. */
  modified: string | undefined;
}

const rss = (call: Call, place: Place, entries: readonly Entry[], { title: own, zone, modified }: Feed): string[] => [
  '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">',
  '<channel>',
  element('title', own),
  `<atom:link href="${attribute(addressOf(call, place, { ending: 'feed' }))}" rel="self" type="application/rss+xml"/>`,
  element('link', call.site.home),
  element('description', ''),
  ...(modified ? [element('lastBuildDate', dateOf(modified))] : []),
  ...entries.flatMap(({ url, title, excerpt, description, start_date, tags }) => [
    '<item>',
    element('title', htmlToLine(String(title))),
    element('link', url),
    element('pubDate', dateOf(toUtc(String(start_date), zone))),
    ...namesOf(tags).map((name) => element('category', name)),
    `<guid isPermaLink="false">${attribute(url)}</guid>`,
    `<description><![CDATA[${summaryOf(excerpt, description)}]]></description>`,
    element('content:encoded', description),
    '</item>',
  ]),
  '</channel>',
  '</rss>',
];

/** A date in UTC as RFC 3339 has it. */
const atomDate = (utc: string): string => `${utc.replace(' ', 'T')}Z`;

/** RFC 4287. Requires an author and a date of the last change. */
function atom(call: Call, place: Place, entries: readonly Entry[], { title: own, zone, modified }: Feed): string[] {
  const self = addressOf(call, place, { ending: 'feed' }).replace(/\/(?=\?|$)/, '/atom/');
  return [
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('title', own),
    element('updated', atomDate(modified ?? utcOf(call.service.requestContext().now))),
    `<link rel="alternate" type="text/html" href="${attribute(call.site.home)}"/>`,
    element('id', self),
    `<link rel="self" type="application/atom+xml" href="${attribute(self)}"/>`,
    `<author>${element('name', own)}</author>`,
    ...entries.flatMap(({ url, title, excerpt, description, start_date, modified_utc, tags }) => [
      '<entry>',
      `<title type="html">${attribute(textToHtml(htmlToLine(String(title))))}</title>`,
      `<link rel="alternate" type="text/html" href="${attribute(url)}"/>`,
      element('id', url),
      element('updated', atomDate(String(modified_utc))),
      element('published', atomDate(toUtc(String(start_date), zone))),
      ...namesOf(tags).map((name) => `<category term="${attribute(name)}"/>`),
      `<summary type="html"><![CDATA[${summaryOf(excerpt, description)}]]></summary>`,
      `<content type="html">${attribute(description ?? '')}</content>`,
      '</entry>',
    ]),
    '</feed>',
  ];
}
