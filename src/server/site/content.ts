import type { Entry, PostResource, Ref } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { TermGroups } from '../../model/fields/filter.ts';
import { readableHtml } from '../../model/html/page-html.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { scriptJson, textToHtml } from '../../model/html/sanitize.ts';
import { anonymous } from '../../model/viewer.ts';
import { type DocumentParts, nameMembers } from '../../model/web-page.ts';
import type { Call } from '../http.ts';
import { addressOf, listingOf, type Place } from './addresses.ts';
import { type EventPage, eventsAt } from './feed.ts';

/** Maximum length of a description in the head, in characters. */
const maxDescription = 200;

const line = (html: unknown): string => htmlToLine(String(html ?? ''));
const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//i.test(value);
const link = (url: unknown, text: string): string =>
  isAddress(url) ? `<a href="${textToHtml(url)}">${textToHtml(text)}</a>` : textToHtml(text);

/** The content of a head. Texts are plain. */
interface Summary {
  title: string;
  text: string;
  type: 'article' | 'website';
  url: string;
  image?: unknown;
  /** The same in the API. */
  restUrl: string | undefined;
  /** Addresses of the same in other formats, by type. */
  alternates: Readonly<Record<string, string>>;
  /** schema.org data. */
  data: unknown;
}

function headOf({ service }: Call, { title, text, type, url, image, restUrl, alternates, data }: Summary): string {
  const description = [...text].slice(0, maxDescription).join('');
  const graph = { title, type, url, description, image, site_name: service.title() };
  const meta = (name: string, value: string, content: unknown) =>
    content ? [`<meta ${name}="${value}" content="${textToHtml(String(content))}">`] : [];
  const links = { ...(restUrl && { 'application/json': restUrl }), ...alternates };
  return [
    ...meta('name', 'description', description),
    `<link rel="canonical" href="${textToHtml(url)}">`,
    ...Object.entries(links).map(([format, href]) => `<link rel="alternate" type="${format}" href="${textToHtml(href)}">`),
    ...Object.entries(graph).flatMap(([name, content]) => meta('property', `og:${name}`, content)),
    `<script type="application/ld+json">${scriptJson(data)}</script>`,
  ].join('\n');
}

/** The dates of an event, like `2027-03-05 20:00 – 22:00 Europe/Amsterdam`. */
function when({ start_date, end_date, timezone, all_day }: Entry): string {
  const [start, end] = [start_date, end_date].map((date) => String(date).slice(0, all_day ? 10 : 16)) as [string, string];
  const last = end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end;
  return [start, ...(last ? ['–', last] : []), ...(all_day ? [] : [timezone])].join(' ');
}

/** The value of a field as HTML: text, an address, or links to records. */
function valueHtml(value: unknown): string {
  const records = [value].flat().filter((each): each is Entry => typeof each === 'object' && each !== null);
  if (records.length) return records.map((each) => link(each.url, line(each[nameMembers.find((name) => name in each)!]))).join(', ');
  return typeof value === 'string' ? link(value, line(value)) : '';
}

const imageUrl = ({ image }: Entry): string | undefined => ((image as { url: string } | false | undefined) || undefined)?.url;

/** Fields that are shown in another place, or that no reader needs. */
const withoutRow = /^(description|image|status|slug|show_|all_day$|timezone$|start_date$|end_date$)/;

function bodyOf({ site }: Call, { label, mainFields }: PostResource, entry: Entry): string {
  const url = imageUrl(entry);
  const rows = mainFields.flatMap((name) => {
    const html = name === label || withoutRow.test(name) || entry[name] === entry.url ? '' : valueHtml(entry[name]);
    return html ? [`<dt>${name}</dt><dd>${html}</dd>`] : [];
  });
  // Nothing is loaded from another host.
  const picture = url?.startsWith(`${site.home}/`)
    ? [`<p><img src="${textToHtml(url)}" alt=""></p>`]
    : url
      ? [`<p>${link(url, 'Image')}</p>`]
      : [];
  return [
    `<main class="record">`,
    `<h1>${textToHtml(line(entry[label]))}</h1>`,
    ...(entry.start_date ? [`<p>${textToHtml(when(entry))}</p>`] : []),
    ...picture,
    `<div>${readableHtml(String(entry.description ?? ''))}</div>`,
    ...(rows.length ? [`<dl>${rows.join('')}</dl>`] : []),
    '</main>',
  ].join('\n');
}

/** A record as visitors read it; undefined if they may not, or only without its texts. */
async function publicRecord({ service, site }: Call, resource: PostResource, ref: Ref): Promise<Entry | undefined> {
  const entry = await service
    .calendar(anonymous, site)
    [resource.name].get(ref)
    .catch((error) => {
      if (error instanceof Failure && error.status < 500) return undefined;
      throw error;
    });
  return entry?.json_ld && entry.status === 'publish' ? entry : undefined;
}

/** The head and the body of a record's page; nothing for one that visitors may not read. */
export async function recordParts(call: Call, resource: PostResource, place: Place, id: number): Promise<DocumentParts> {
  const { site } = call;
  const entry = await publicRecord(call, resource, { id });
  if (!entry) return {};
  const { name, label } = resource;
  const summary: Summary = {
    title: line(entry[label]),
    text: line(entry.excerpt || entry.description),
    type: 'article',
    url: String(entry.url),
    image: imageUrl(entry),
    restUrl: String(entry.rest_url ?? `${site.root}/${name}/${entry.id}`),
    alternates: { 'text/calendar': addressOf(call, place, { ending: '?ical' }) },
    data: entry.json_ld,
  };
  return { head: headOf(call, summary), body: bodyOf(call, resource, entry) };
}

const listMembers = new Set(['id', 'url', 'title', 'start_date', 'end_date', 'timezone', 'all_day']);

function listBody(title: string, { entries }: EventPage, nextUrl: string | undefined): string {
  const items = entries.map((entry) => `<li>${link(entry.url, line(entry.title))} ${textToHtml(when(entry))}</li>`);
  return [
    '<main class="record">',
    `<h1>${textToHtml(title)}</h1>`,
    items.length ? `<ul>${items.join('\n')}</ul>` : '<p>No events.</p>',
    ...(nextUrl === undefined ? [] : [`<p><a rel="next" href="${textToHtml(nextUrl)}">More events</a></p>`]),
    '</main>',
  ].join('\n');
}

/** The view of the page with the events of a list. */
function viewOf({ record, view = 'list', date, from, search }: Place): string {
  const day = date?.padEnd(10, '-01') ?? from;
  return `/?${new URLSearchParams({ view, ...(day && { day }), ...(search && { search }), ...(record && { [record.resource]: record.slug }) })}`;
}

/** The head and the body of a list of events, as visitors read it. `term` is the category or tag of the events. */
export async function listParts(call: Call, place: Place, title: string, term?: Entry): Promise<DocumentParts> {
  const { service } = call;
  const page = await eventsAt(call, await listingOf(call, place), listMembers, anonymous);
  const { events } = service.resources();
  const records = await Promise.all(page.entries.map(({ id }) => publicRecord(call, events, { id })));
  const summary: Summary = {
    title,
    text: line(term?.description),
    type: 'website',
    url: addressOf(call, place, { page: Number(place.pageSent) }),
    // The API has no filter for events with all of several terms.
    restUrl: Object.values(page.query).some((value) => value instanceof TermGroups) ? undefined : page.restUrl,
    alternates: {
      'text/calendar': addressOf(call, place, { ending: '?ical' }),
      'application/rss+xml': addressOf(call, place, { ending: 'feed' }),
    },
    data: records.flatMap((record) => record?.json_ld ?? []),
  };
  return {
    title,
    view: viewOf(place),
    head: headOf(call, summary),
    body: listBody(title, page, page.next === undefined ? undefined : addressOf(call, place, { page: page.next })),
  };
}
