import { dayOf, plusMinutes } from '../../days.ts';
import { daysOf, type EventSpan } from '../span.ts';

/** A change of an event, or of its start or end. */
export interface Shift {
  id: number;
  edge: 'move' | 'start' | 'end';
  /** Minutes of wall time; a day has 1440. */
  minutes: number;
}

/** Returns the start and end of an event after a shift. An edge stops at the other one. */
export function shifted(from: string, to: string, allDay: boolean, { edge, minutes }: Pick<Shift, 'edge' | 'minutes'>): [string, string] {
  const [start, end] = [edge === 'end' ? from : plusMinutes(from, minutes), edge === 'start' ? to : plusMinutes(to, minutes)];
  if (edge === 'start') {
    const latest = allDay ? `${dayOf(to)} 00:00:00` : to;
    return [start > latest ? latest : start, end];
  }
  const earliest = allDay ? `${dayOf(start)} 23:59:59` : start;
  return [start, end < earliest ? earliest : end];
}

/** Returns the span of an event during a shift. */
export const applyShift = (span: EventSpan, shift: Shift): EventSpan => ({
  ...span,
  ...daysOf(...shifted(span.from, span.to, span.allDay, shift)),
});
