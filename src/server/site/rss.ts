import type { Entry } from '../../model/calendar.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { textToHtml } from '../../model/html/sanitize.ts';
import { instantOf } from '../../model/time/datetime.ts';
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
  return `<description><![CDATA[${start}${!plain && words.length > maxWords ? ' [&#8230;]' : ''}]]></description>`;
}

const termsOf = (terms: unknown): string[] => ((terms ?? []) as Entry[]).map(({ name }) => element('category', htmlToLine(String(name))));

/** A list of events as RSS, in the form of the reference: the date of an item is the start of the event, read in the zone of the calendar. */
export async function rss(call: Call, place: Place): Promise<Result> {
  const { service, viewer, site } = call;
  const { entries } = await eventsAt(call, await listingOf(call, place), members, viewer);
  const { zone } = service.requestContext();
  const items = entries.map(({ url, title, excerpt, description, start_date, tags }) =>
    [
      '<item>',
      element('title', htmlToLine(String(title))),
      element('link', url),
      element('pubDate', dateOf(toUtc(String(start_date), zone))),
      ...termsOf(tags),
      `<guid isPermaLink="false">${textToHtml(withoutControls(String(url)))}</guid>`,
      summaryOf(excerpt, description),
      element('content:encoded', description),
      '</item>',
    ].join('\n'),
  );
  const modified = entries.map((entry) => String(entry.modified_utc)).sort();
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', ['Upcoming Events', service.title()].filter(Boolean).join(' – ')),
    `<atom:link href="${textToHtml(addressOf(call, place, { ending: 'feed' }))}" rel="self" type="application/rss+xml"/>`,
    element('link', site.home),
    element('description', ''),
    ...(modified.length ? [element('lastBuildDate', dateOf(modified.at(-1)))] : []),
    ...items,
    '</channel>',
    '</rss>\n',
  ].join('\n');
  const bytes = Buffer.from(text);
  return { status: 200, headers: { 'Content-Type': 'application/rss+xml; charset=UTF-8' }, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
