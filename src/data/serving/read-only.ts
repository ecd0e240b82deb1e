import type { Calendar, Collection } from '../../model/calendar.ts';
import type { Service } from '../../model/operations/service.ts';
import { readOnlyFailure, rejectChange } from '../operations/control.ts';

const rejectUpload = () => {
  throw readOnlyFailure();
};

/** Returns a service that rejects every change of a record with `read-only`, and allows no method that changes one. */
export function readOnlyService(service: Service): Service {
  const readOnly = (collection: Collection): Collection => ({
    ...collection,
    create: rejectChange,
    update: rejectChange,
    delete: rejectChange,
  });
  return {
    ...service,
    checkUpload: rejectUpload,
    may: (viewer, action, resource, ref) => (action === 'list' || action === 'get') && service.may(viewer, action, resource, ref),
    calendar(viewer, site) {
      const collections = Object.entries(service.calendar(viewer, site)).map(([name, collection]) => [name, readOnly(collection)]);
      return Object.fromEntries(collections) as Calendar;
    },
  };
}
