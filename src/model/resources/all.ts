import type { PostDefinition, TermDefinition } from '../resource.ts';
import { category } from './category.ts';
import { event } from './event.ts';
import { organizer } from './organizer.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

const definitions = {
  events: event,
  venues: venue,
  organizers: organizer,
  categories: category,
  tags: tag,
} satisfies Record<string, PostDefinition | TermDefinition>;

export type ResourceName = keyof typeof definitions;
export type PostResource = PostDefinition & { name: ResourceName };
export type TermResource = TermDefinition & { name: ResourceName };
export type Resource = PostResource | TermResource;

/** Every resource, in the order of documents. */
export const resources = definitions as { [N in ResourceName]: (typeof definitions)[N] & { name: N } };
