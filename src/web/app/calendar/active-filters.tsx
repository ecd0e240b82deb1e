import { filterDefinitions } from '../../filter-definitions.ts';
import { today } from '../context.ts';
import { Icon } from '../icon.tsx';
import { useLoaded } from '../loading.ts';
import { loadOptions } from '../suggestions.ts';
import { addressOf, type CalendarState, countFilters, type Filters, noFilters, withFilter } from './state.ts';

/** The active filters, each as a chip that removes it. */
export function ActiveFilters({ state }: { state: CalendarState }) {
  const { filters } = state;
  const active = filterDefinitions.filter(({ name }) => filters.values[name]);
  const linked = active.filter(({ links }) => links);
  const key = linked.length ? `labels ${linked.map(({ name }) => `${name}=${filters.values[name]}`).join('&')}` : undefined;
  const { value: labels } = useLoaded(key, async (signal) => {
    const options = await Promise.all(linked.map(({ name, links }) => loadOptions(links!, filters.values[name]!, signal)));
    return new Map(linked.flatMap(({ name }, index) => options[index]!.map(({ value, label }) => [`${name} ${value}`, label] as const)));
  });
  if (!countFilters(filters)) return null;
  const to = (change: Filters) => addressOf({ ...state, filters: change }, today());
  const chip = (label: string, address: string) => (
    <a key={address} class="term" href={address} aria-label={`Remove filter: ${label}`}>
      <bdi>{label}</bdi>
      <Icon name="close" />
    </a>
  );
  return (
    <p class="active-filters">
      Filters:
      {active.flatMap(({ name, kind, about }) => {
        const values = filters.values[name]!;
        return values.map((value) =>
          chip(
            kind === 'switch' ? about : kind === 'records' ? (labels?.get(`${name} ${value}`) ?? value) : `${name}: ${value}`,
            to(
              withFilter(
                filters,
                name,
                values.filter((other) => other !== value),
              ),
            ),
          ),
        );
      })}
      <a href={to({ ...noFilters, search: filters.search })}>Clear filters</a>
    </p>
  );
}
