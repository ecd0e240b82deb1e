import type { ResourceName } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import type { RecordLabel } from './definition.ts';

/** The names of all resources, as plain data. */
export const labels = Object.fromEntries(
  Object.values(resources).map(({ name, label, kind, family, page }) => [
    name,
    { label, kind, ...(family === 'post' ? { isPost: true, page } : { page: { base: page } }) },
  ]),
) as Record<ResourceName, RecordLabel>;
