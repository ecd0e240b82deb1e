import type { Asking, PostKind } from './asking.ts';
import type { Column } from './field.ts';
import type { Columns, Entry, Input, Row } from './resource.ts';
import { type DateTime, fromUtc, instantOf, readDate, toUtc, utcOf, wallOf } from './time.ts';
import { dateText } from './value.ts';
import { mayEdit, mayPublish, mayRead, type Viewer } from './viewer.ts';

/** The UTC date of what was never published. */
export const never: DateTime = '0000-00-00 00:00:00';

/** The columns of events, venues and organizers that no field fills: `folded` is what searches look through. */
export const postColumns: Record<string, Column> = {
  modified: { type: 'TEXT' },
  modified_utc: { type: 'TEXT' },
  folded: { type: 'TEXT', default: '' },
  generated: { type: 'INTEGER', default: 0 },
};

/** Statuses of what has not been published, nor scheduled. */
export const isUnpublished = (status: unknown) => status === 'draft' || status === 'pending' || status === 'auto-draft';

/** Where records' addresses start: the site's, and the namespace's. Neither ends with a slash. */
export interface Site {
  home: string;
  root: string;
}

/** How one record is looked at. */
export interface Look {
  site: Site;
  viewer: Viewer;
  /** A single read, which adds schema.org data. */
  single: boolean;
  /** The password sent along. */
  password?: string;
  /** Whether the viewer asked to edit, which opens protected records to those who may. */
  editing: boolean;
}

const addressParts: Record<PostKind, { type: string; base: string }> = {
  event: { type: 'calendar_events', base: 'event' },
  venue: { type: 'calendar_venue', base: 'venue' },
  organizer: { type: 'calendar_organizer', base: 'organizer' },
};

const owned = (row: Row) => ({ author: Number(row.author), status: String(row.status) });

/** The page of a record for people: by slug when it is public, else by ID. */
export function permalink(kind: PostKind, row: Row, look: Look): string {
  const { type, base } = addressParts[kind];
  const pretty = row.status === 'publish' || (row.status === 'private' && mayRead(look.viewer, owned(row)));
  return pretty ? `${look.site.home}/${base}/${row.slug}/` : `${look.site.home}/?post_type=${type}&p=${row.id}`;
}

/** What identifies a record among calendars: the site without its scheme, and the ID. */
export const globalId = (row: Row, look: Look): string => `${look.site.home.replace(/^\w+:\/\//, '')}?id=${row.id}`;

/** The fields that events, venues and organizers start with. */
export const head = (row: Row) => ({
  author: String(row.author),
  status: row.status,
  date: row.date,
  date_utc: row.date_utc,
  modified: row.modified,
  modified_utc: row.modified_utc,
});

/** Whether a row looks the same to everybody. */
export const isOpen = (row: Row): boolean => row.status === 'publish' && row.post_password === '';

/** Whether a record's texts are hidden from this look because of its password. */
export const isLocked = (row: Row, look: Look): boolean =>
  row.post_password !== '' && row.post_password !== look.password && !(look.editing && mayEditRow(row, look));
const mayEditRow = (row: Row, look: Look) => mayEdit(look.viewer, owned(row));

/** A written date of publication: wall time in the calendar's zone, and UTC. Undefined when neither was sent. */
function writtenDate(input: Input, asking: Asking): Pick<Columns, 'date' | 'date_utc'> | undefined {
  if (input.date !== undefined && input.date !== null) {
    const date = fromUtc(toUtc(readDate(dateText(input.date), asking.now, asking.zone)!.wall, asking.zone), asking.zone);
    const date_utc =
      input.date_utc == null ? toUtc(date, asking.zone) : utcOf(readDate(dateText(input.date_utc), asking.now, 'UTC')!.instant);
    return { date, date_utc };
  }
  if (input.date_utc !== undefined && input.date_utc !== null) {
    const date_utc = utcOf(readDate(dateText(input.date_utc), asking.now, 'UTC')!.instant);
    return { date: fromUtc(date_utc, asking.zone), date_utc };
  }
  return undefined;
}

/** Status and dates of a record that is written: the state before it (none for a new one), and what was sent. As in the reference. */
export function publication(input: Input, before: Row | undefined, asking: Asking): Columns {
  const nowUtc = utcOf(asking.now);
  const now = { date: wallOf(asking.now, asking.zone), date_utc: nowUtc };
  const written = writtenDate(input, asking);
  const asked = String(input.status ?? before?.status ?? (mayPublish(asking.viewer) ? 'publish' : 'draft'));
  let status = !mayPublish(asking.viewer) && (asked === 'publish' || asked === 'future') && asked !== before?.status ? 'pending' : asked;

  const republished = before !== undefined && input.status === 'publish' && before.status === 'future';
  const undated = before !== undefined && before.date_utc === never && !isUnpublished(status);
  const kept = before && !republished && !undated ? { date: before.date!, date_utc: before.date_utc! } : now;
  const dates: Columns = { ...(written ?? kept) };
  const utc = dates.date_utc === never ? toUtc(String(dates.date), asking.zone) : String(dates.date_utc);
  if (status === 'publish' || status === 'future') status = instantOf(utc) > asking.now ? 'future' : 'publish';
  dates.date_utc = isUnpublished(status) && input.date_utc == null && (!before || before.date_utc === never) ? never : utc;
  const modified = before ? { modified: now.date, modified_utc: now.date_utc } : { modified: dates.date!, modified_utc: dates.date_utc };
  return { status, ...dates, ...modified };
}

/** What stands in for the values of a protected record. */
export function veil(texts: string[], numbers: string[], label: string): Record<string, unknown> {
  const hidden: Record<string, unknown> = { [label]: [], image: false };
  for (const name of texts) hidden[name] = '';
  for (const name of numbers) hidden[name] = 0;
  return hidden;
}

/** A record without its empty values, those that are left replaced where they are hidden, and what always stands at its end. */
export function withoutEmpty(entry: Record<string, unknown>, hidden: Record<string, unknown>, tail: Record<string, unknown>): Entry {
  const kept = Object.entries(entry).filter(
    ([, value]) => value !== '' && value !== false && value !== 0 && value !== '0' && value !== null,
  );
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, name in hidden ? hidden[name] : value])), ...tail } as Entry;
}
