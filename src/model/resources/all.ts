import type { Resource, ResourceName } from '../calendar.ts';
import { category } from './category.ts';
import { event } from './event.ts';
import { organizer } from './organizer.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

/** The five resources, in the order in which documents list them. */
export const resources = { events: event, venues: venue, organizers: organizer, categories: category, tags: tag } satisfies Record<
  ResourceName,
  Resource
>;
