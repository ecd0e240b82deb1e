import type { ResourceName } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import type { RecordLabel } from './definition.ts';

/** The labels of all resources, as plain data. */
export const labels = Object.fromEntries(
  Object.entries(resources).map(([name, { label, family }]) => [name, { label, ...(family === 'post' && { isPost: true }) }]),
) as Record<ResourceName, RecordLabel>;
