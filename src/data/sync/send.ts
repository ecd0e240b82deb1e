import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SyncState } from '../../store/identity/sync-state.ts';

/** Columns of this calendar that a site doesn't accept. */
const own = ['id', 'modified', 'modified_utc', 'generated', 'lineage', 'sequence', 'extra', 'date', 'date_utc', 'author'];

/** Returns the members of a new record that only servers of this program take: those of other sites, and slugs of venues and organizers. */
export function ownMembers(local: LocalCalendar, name: ResourceName, id: number): Input {
  const { uid = '', slug, extra } = local.source(name, id)!;
  return { uid, ...(slug === undefined ? {} : { slug }), ...(extra === undefined ? {} : { extra }) };
}

/** Returns the input to send of a local record: a complete new record, or only some fields of an existing one. */
export function inputFor(local: LocalCalendar, state: SyncState, name: ResourceName, id: number, fields?: readonly string[]): Input {
  const source = local.source(name, id)!;
  const { date_utc } = source;
  const input: Input = Object.fromEntries(Object.entries(source).filter(([field]) => !own.includes(field)));
  if (date_utc !== undefined && !String(date_utc).startsWith('0000')) input.date_utc = date_utc;
  const definition: Resource = local.resources[name];
  if (!definition.fields.some((field) => field.name === 'slug')) delete input.slug;
  for (const { name: field, links: to, join, empty } of definition.fields) {
    if (!to || to === 'images' || to === 'users') continue;
    const ids = [source[field] ?? []].flat().map((each) => state.ofLocal(to as ResourceName, Number(each))?.remote);
    const mapped = ids.filter((each) => each !== undefined);
    if (join) input[field] = mapped.length ? mapped : empty;
    else if (mapped.length) input[field] = mapped[0];
    else delete input[field];
  }
  const empty = Object.fromEntries(definition.fields.map((field) => [field.name, field.empty]));
  if (!fields)
    return Object.fromEntries(Object.entries(input).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(empty[field])));
  // Slugs of venues and organizers can't be sent.
  return Object.fromEntries(fields.filter((field) => field in empty).map((field) => [field, input[field] ?? empty[field]]));
}

/** The publication date, in the time zone of the calendar and in UTC. */
const publication: readonly string[] = ['date', 'date_utc'];

/** Returns an update with the fields that the reference resets when they are omitted, with their values in a response. */
export function completeUpdate({ fields, resets = [] }: Resource, entry: Entry, update: Input): Input {
  const input: Input = {};
  // Drafts have no publication date yet, and one date alone determines the other.
  const isDated = !String(entry.date_utc).startsWith('0000') && !publication.some((name) => name in update);
  for (const field of fields) {
    const remoteValue = entry[field.name];
    if (!resets.includes(field.name) || remoteValue === undefined || remoteValue === null || (field.links === 'images' && !remoteValue))
      continue;
    if (publication.includes(field.name) && !isDated) continue;
    if (field.join) input[field.name] = embedded(remoteValue).map(({ id }) => Number(id));
    else if (field.links === 'images') input[field.name] = (remoteValue as { id?: number }).id;
    else {
      const value = field.fromResponse(remoteValue, entry);
      // An event without a website shows the address of its page, which may change.
      if (value !== null) input[field.name] = value ?? remoteValue;
    }
  }
  return { ...input, ...update };
}
