import type { ResourceName } from '../../../model/calendar.ts';
import type { Day } from '../../../model/time/days.ts';
import { labels } from '../../definitions.ts';
import { plusMinutes } from '../days.ts';
import type { FormValues } from './values.ts';

/** The resources by the kind of their records. */
export const kinds = Object.fromEntries(Object.entries(labels).map(([name, { kind }]) => [kind, name as ResourceName]));

/** The address of the form for a new event. It starts at 9:00 unless a minute of the day is given, and lasts an hour unless `to` is given. */
export function newEventAddress(day: Day, minute?: number, to?: { day: Day; minute?: number }): string {
  const at = (on: Day, time: number) => plusMinutes(`${on} 00:00:00`, Math.min(time, 1440)).slice(0, 16);
  const isDays = to !== undefined && to.minute === undefined;
  const parameters = isDays
    ? { new: 'event', start: day, end: to.day }
    : { new: 'event', start: at(day, minute ?? 540), ...(to && { end: at(to.day, to.minute!) }) };
  return `/?${new URLSearchParams(parameters)}`;
}

export const newEventForm = (values: FormValues): string => `/?${new URLSearchParams({ new: 'event', values: JSON.stringify(values) })}`;

/** The address of the form for a new record of a resource; undefined if there is none. */
export function newAddressOf(resource: string): string | undefined {
  const kind = resource in labels ? labels[resource as ResourceName].kind : undefined;
  return kind && `/?new=${kind}`;
}

export function editAddress(path: string): string {
  const { pathname, searchParams } = new URL(path, location.href);
  searchParams.set('edit', 'true');
  return `${pathname}?${searchParams}`;
}

export const copyAddress = (kind: string, id: number): string => `/?${new URLSearchParams({ new: kind, copy: String(id) })}`;
