import type { RequestContext } from '../context.ts';
import { zoneHint } from '../did-you-mean.ts';
import type { Doubt } from '../mistakes/table.ts';
import { dateDoubts } from '../time/doubtful-date.ts';
import { readPhpDate } from '../time/parse-date.ts';
import { rewriteDate } from '../time/typed/typed-date.ts';
import { isZone } from '../time/zone.ts';
import { dateText, quoted } from './coerce.ts';
import { type FieldKind, kindOf, orNull, takesNull } from './field.ts';
import { plain, text, textFault } from './text.ts';

export const momentSchema = (description: string) => ({
  type: 'string',
  description,
  // Timestamps can be past year 9999 or before year 0.
  pattern: '^-?\\d{4,}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
});

/** Doubts about a text; other values are timestamps, or are rejected. */
const doubtsOf = (value: unknown, now: number, zone: string): Doubt[] => (typeof value === 'string' ? dateDoubts(value, now, zone) : []);

/** A date in any form that `strtotime` accepts, or a Unix timestamp. */
export const date = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    { about },
    {
      placeholder: 'date',
      topic: 'dates',
      wire: { type: 'string' },
      accepts: more.wire && takesNull(more.wire) ? orNull({ type: 'string', minLength: 1 }) : { type: 'string', minLength: 1 },
      check: dateFault,
      doubts: (value, ctx, zone) => doubtsOf(value, ctx.now, zone),
      schema: (z) =>
        z.union([z.string(), z.int()]).meta({ examples: ['2027-03-01 10:00', 'next monday 18:00', 'first friday of next month 20:00'] }),
      nothing: { isRefused: true },
      shown: { always: true, schema: momentSchema(about) },
      cell: { rewrite: rewriteDate },
      control: 'date',
      compared: { input: (value) => value || undefined },
    },
    more,
  );

/** A date in the time zone of the calendar, which that of the record may differ from. */
export const calendarDate = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(date(about, more), { doubts: (value, ctx) => doubtsOf(value, ctx.now, ctx.zone) });

/** A date in UTC: an offset is honored. */
export const utcDate = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(date(about, more), {
    doubts: (value, ctx) => doubtsOf(value, ctx.now, 'UTC').filter(({ rule }) => rule !== 'ignored-zone'),
  });

/** True if a text only names a time zone. None begins with a digit. */
const isZoneText = (value: string): boolean => !/^\s*\d/.test(value) && (isZone(value.trim()) || /^\s*[a-z]\s*$/i.test(value));

const yearTenThousand = Date.UTC(10_000, 0);

/** Returns why a value is not a date: `2027-03-01 10:00`, `next monday 9am`, a Unix timestamp… (PHP's strtotime). */
export function dateFault(value: unknown, ctx: Pick<RequestContext, 'now'>): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return 'must be text';
  const date = isZoneText(text(value)) ? undefined : readPhpDate(dateText(value), ctx.now, 'UTC');
  // The reference treats the first second of 1970 as no date; dates with five-digit years would not sort by time.
  if (date?.instant === 0) return `${quoted(value)} is 1970-01-01 00:00:00 UTC, which stands for no date`;
  return date && date.instant < yearTenThousand ? undefined : `${quoted(value)} is not a valid date`;
}

/** A time zone: an IANA name, or `UTC` with an offset in hours. Empty for that of the calendar. */
export const zone = (about: string): FieldKind =>
  kindOf(plain(about), {
    placeholder: 'zone',
    wire: { type: 'string' },
    // The names of known zones change with the time zone database, so only the form is stated.
    accepts: { type: 'string', pattern: '^([A-Za-z][A-Za-z0-9_+/-]*|(?:[Gg][Mm][Tt])?[+-]\\d[\\d:]*|UTC[ +-]\\d{1,2}([.:]\\d{1,2})?)?$' },
    check: (value) =>
      textFault(value) ??
      (value === '' || isZone(text(value)) ? undefined : `${quoted(value)} is not a time zone such as Europe/Paris or UTC+5.5`),
    hint: zoneHint,
    nothing: { isRefused: true },
    stored: { value: (value, ctx) => text(value) || ctx.zone },
    control: 'zone',
    compared: { input: (value) => value || undefined },
  });
