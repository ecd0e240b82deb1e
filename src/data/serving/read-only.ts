import type { Calendar, Collection } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { type CalendarControl, changingOperations } from '../../model/operations/control.ts';
import type { Service } from '../../model/operations/service.ts';

const refuse = () =>
  Promise.reject(new Failure('read-only', 'this calendar is served for reading only', {}, 'Start the server without --read-only.'));

/** The same service, which changes no record: whoever tries is refused with `read-only`, and no method that changes something is said to be open. */
export function readOnlyService(service: Service): Service {
  const without = (collection: Collection): Collection => ({ ...collection, create: refuse, update: refuse, delete: refuse });
  return {
    ...service,
    may: (viewer, action, resource, ref) => (action === 'list' || action === 'get') && service.may(viewer, action, resource, ref),
    calendar(viewer, site) {
      const collections = Object.entries(service.calendar(viewer, site)).map(([name, collection]) => [name, without(collection)]);
      return Object.fromEntries(collections) as Calendar;
    },
  };
}

/** The same control without the operations that change what the calendar holds or keeps, which are refused with `read-only`. The clock goes as it is told. */
export const readOnlyControl = (control: CalendarControl): CalendarControl => ({
  ...control,
  ...Object.fromEntries([...changingOperations].map((name) => [name, refuse])),
});
