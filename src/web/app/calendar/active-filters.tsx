import type { ResourceName } from '../../../model/calendar.ts';
import { today } from '../context.ts';
import { Icon } from '../icon.tsx';
import { useLoaded } from '../loading.ts';
import { loadOptions } from '../suggestions.ts';
import { addressOf, type CalendarState, countFilters, type Filters, noFilters } from './state.ts';

const kinds = { categories: 'categories', tags: 'tags', venue: 'venues', organizer: 'organizers' } as const satisfies Partial<
  Record<keyof Filters, ResourceName>
>;
type Name = keyof typeof kinds;
const names = Object.keys(kinds) as Name[];

/** The active filters, each as a chip that removes it. */
export function ActiveFilters({ state }: { state: CalendarState }) {
  const { filters } = state;
  const active = names.filter((name) => filters[name].length);
  const key = active.length ? `labels ${active.map((name) => `${name}=${filters[name]}`).join('&')}` : undefined;
  const { value } = useLoaded(key, async (signal) => {
    const options = await Promise.all(active.map((name) => loadOptions(kinds[name], filters[name], signal)));
    return new Map(active.flatMap((name, index) => options[index]!.map((option) => [`${name} ${option.value}`, option.label] as const)));
  });
  if (!countFilters(filters)) return null;
  const to = (change: Partial<Filters>) => addressOf({ ...state, filters: { ...filters, ...change } }, today());
  const chip = (label: string, address: string) => (
    <a key={address} class="term" href={address} aria-label={`Remove filter: ${label}`}>
      <bdi>{label}</bdi>
      <Icon name="close" />
    </a>
  );
  return (
    <p class="active-filters">
      Filters:
      {active.flatMap((name) =>
        filters[name].map((each) =>
          chip(value?.get(`${name} ${each}`) ?? each, to({ [name]: filters[name].filter((other) => other !== each) })),
        ),
      )}
      {filters.featured && chip('Featured', to({ featured: false }))}
      <a href={to({ ...noFilters, search: filters.search })}>Clear filters</a>
    </p>
  );
}
