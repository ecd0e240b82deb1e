import type { ResourceName } from '../../../model/calendar.ts';
import { today } from '../context.ts';
import { Icon } from '../icon.tsx';
import { useLoaded } from '../loading.ts';
import { optionsFor } from '../suggestions.ts';
import { addressOf, type CalendarState, countOf, type Filters, noFilters } from './state.ts';

const kinds = { categories: 'categories', tags: 'tags', venue: 'venues', organizer: 'organizers' } as const satisfies Partial<
  Record<keyof Filters, ResourceName>
>;
type Name = keyof typeof kinds;
const names = Object.keys(kinds) as Name[];

/** What narrows the calendar, by name, each with the way to drop it. */
export function ActiveFilters({ state }: { state: CalendarState }) {
  const { filters } = state;
  const wanted = names.filter((name) => filters[name].length);
  const key = wanted.length ? `labels ${wanted.map((name) => `${name}=${filters[name]}`).join('&')}` : undefined;
  const { value } = useLoaded(key, async (signal) => {
    const options = await Promise.all(wanted.map((name) => optionsFor(kinds[name], filters[name], signal)));
    return new Map(wanted.flatMap((name, at) => options[at]!.map((option) => [`${name} ${option.value}`, option.label] as const)));
  });
  if (!countOf(filters)) return null;
  const to = (change: Partial<Filters>) => addressOf({ ...state, filters: { ...filters, ...change } }, today());
  const chip = (label: string, address: string) => (
    <a key={address} class="term" href={address} aria-label={`Without ${label}`}>
      <bdi>{label}</bdi>
      <Icon name="close" />
    </a>
  );
  return (
    <p class="active-filters">
      Only
      {wanted.flatMap((name) =>
        filters[name].map((each) =>
          chip(value?.get(`${name} ${each}`) ?? each, to({ [name]: filters[name].filter((other) => other !== each) })),
        ),
      )}
      {filters.featured && chip('featured', to({ featured: false }))}
      <a href={to({ ...noFilters, search: filters.search })}>Clear</a>
    </p>
  );
}
