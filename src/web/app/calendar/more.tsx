import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import type { CalendarDay } from '../days.ts';
import { dayText } from '../format.ts';
import { lazy } from '../lazy.tsx';
import type { HueOf } from './hues.ts';
import type { EventSpan } from './span.ts';

const DayList = lazy(async () => (await import('./day-list.tsx')).DayList, null);

interface Properties {
  day: CalendarDay;
  /** Number of events that aren't shown. */
  count: number;
  /** The events to list. */
  spans: readonly EventSpan[];
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
}

/** A button with the number of further events, which lists them in place. */
export function More({ day, count, spans, hueOf, linkTo }: Properties) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const address = useAddress().search;
  // A click on an event opens that one instead.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes.
  useEffect(() => setOpen(false), [address]);
  return (
    <>
      <button ref={button} type="button" class="more" aria-label={`${count} more on ${dayText(day)}`} onClick={() => setOpen(true)}>
        +{count}
        <span class="wide"> more</span>
      </button>
      {isOpen && <DayList {...{ day, spans, hueOf, linkTo }} anchor={() => button.current} onClose={() => setOpen(false)} />}
    </>
  );
}
