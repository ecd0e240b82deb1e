import { useMemo } from 'preact/hooks';
import type { EventRecord } from '../../../model/resources/record-types.ts';
import { plusDays } from '../../../model/time/days.ts';
import { AgendaItem } from '../calendar/agenda.tsx';
import { useCategories } from '../calendar/events.ts';
import { huesOf } from '../calendar/hues.ts';
import { eventSpan } from '../calendar/span.ts';
import { type Filters, viewAddress } from '../calendar/state.ts';
import { context, today } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { type ApiQuery, listPage } from '../server/api.ts';
import './upcoming.css';

interface Properties {
  title: string;
  query: ApiQuery;
  filters: Filters;
  /** ID of an event to omit. */
  excludedId?: number;
  /** Text for an empty list. Without it, an empty list isn't rendered. */
  emptyText?: string;
  /** True at the top of a column. */
  isFirst?: boolean;
}

const maxEvents = 6;

/** The current and next events of a venue or organizer. */
export function UpcomingEvents({ title, query, filters, excludedId, emptyText, isFirst }: Properties) {
  const { value } = useUpcomingEvents({ ...query, ends_after: plusDays(today(), -1) }, maxEvents + 1);
  const categories = useCategories();
  const hueOf = useMemo(() => huesOf(categories.value ?? []), [categories.value]);
  const events = (value?.events ?? []).filter(({ id }) => id !== excludedId).slice(0, maxEvents);
  if (!value || (!events.length && !emptyText)) return null;
  return (
    <section class={`upcoming${isFirst ? ' first' : ''}`}>
      <h2>{title}</h2>
      {events.length ? (
        <ul>
          {events.map((event) => {
            const span = eventSpan(event, context.timezone);
            return (
              <AgendaItem
                key={event.id}
                span={span}
                day={span.first}
                hueOf={hueOf}
                dated
                omittedVenue={Number(filters.values.venue?.[0])}
              />
            );
          })}
        </ul>
      ) : (
        <p class="quiet">{emptyText}</p>
      )}
      <p class="screen-only">
        <a href={viewAddress({ view: 'list', day: today(), filters }, today())}>View all in calendar</a>
      </p>
    </section>
  );
}

/** Loads the first events of a query. */
const useUpcomingEvents = (query: ApiQuery | undefined, maxEvents: number) =>
  useLoaded(query && `next ${JSON.stringify(query)} ${maxEvents}`, async (signal) => {
    const { records, total } = await listPage<EventRecord>('events', { ...query, per_page: maxEvents }, signal).catch((error) => {
      if (error.status === 404) return { records: [], total: 0 };
      throw error;
    });
    return { events: records, total };
  });
