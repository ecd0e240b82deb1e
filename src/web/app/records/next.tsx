import { useMemo } from 'preact/hooks';
import { AgendaItem } from '../calendar/agenda.tsx';
import { useCategories } from '../calendar/events.ts';
import { huesOf } from '../calendar/hues.ts';
import { spanOf } from '../calendar/span.ts';
import { addressOf, type Filters, noFilters } from '../calendar/state.ts';
import { context, today } from '../context.ts';
import { plusDays } from '../days.ts';
import type { ApiQuery } from '../server/api.ts';
import { useNext } from './load.ts';

interface Properties {
  title: string;
  query: ApiQuery;
  filters: Partial<Filters>;
  /** An event that is left out. */
  without?: number;
  /** What is said where there is none; without it nothing is shown then. */
  empty?: string;
}

const most = 6;

/** The events of somebody or somewhere that are on, or come next. */
export function Next({ title, query, filters, without, empty }: Properties) {
  const { value } = useNext({ ...query, ends_after: plusDays(today(), -1) }, most + 1);
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  const events = (value?.events ?? []).filter(({ id }) => id !== without).slice(0, most);
  if (!value || (!events.length && !empty)) return null;
  return (
    <section class="next">
      <h2>{title}</h2>
      {events.length ? (
        <ul class="agenda-lines">
          {events.map((event) => {
            const span = spanOf(event, context.timezone);
            return <AgendaItem key={event.id} span={span} day={span.first} hueOf={hueOf} dated at={Number(filters.venue?.[0])} />;
          })}
        </ul>
      ) : (
        <p class="quiet">{empty}</p>
      )}
      <p>
        <a href={addressOf({ view: 'list', day: today(), filters: { ...noFilters, ...filters } }, today())}>See all in the calendar</a>
      </p>
    </section>
  );
}
