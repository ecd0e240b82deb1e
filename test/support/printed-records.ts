import { type PrintOptions, print } from '../../src/cli/print/print.ts';
import { renderOutput } from '../../src/cli/terminal/safe-output.ts';
import type { Entry } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';

/** An event as GET answers it, with what a test names put over it. */
export const eventWith = (over: Record<string, unknown>): Entry => ({
  id: 1,
  author: '1',
  status: 'publish',
  date: '2026-11-01 09:00:00',
  title: 'An evening',
  description: '<p>What it is</p>',
  excerpt: '',
  slug: 'an-evening',
  image: false,
  all_day: false,
  start_date: '2027-03-01 19:00:00',
  end_date: '2027-03-01 22:30:00',
  utc_start_date: '2027-03-01 18:00:00',
  utc_end_date: '2027-03-01 21:30:00',
  timezone: 'Europe/Paris',
  timezone_abbr: 'CET',
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
  show_map: true,
  show_map_link: false,
  hide_from_listings: false,
  sticky: false,
  featured: false,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  ...over,
});

/** A category or tag as events show it. */
export const termWith = (id: number, name: string, slug: string): Entry => ({
  id,
  name,
  slug,
  taxonomy: 'post_tag',
  term_taxonomy_id: id,
  count: 1,
});

/** All that is written of records: to a terminal, if it has a width. */
export async function printed(entries: Entry[], printing: Partial<PrintOptions>): Promise<string> {
  let text = '';
  for await (const piece of print(entries, { format: 'table', resource: resources.events, color: false, ...printing })) text += piece;
  return renderOutput(text, printing.width !== undefined);
}
