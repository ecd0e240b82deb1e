import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import type { RequestContext } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { embedded } from '../../model/fields/link.ts';
import { storableInput } from '../../model/validate.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { RecordForm, SiteState } from '../../store/identity/sites.ts';
import { isEqual } from './pair.ts';

/** Columns of this calendar that a site doesn't accept. */
const own = ['id', 'uid', 'modified', 'modified_utc', 'generated', 'lineage', 'sequence', 'extra', 'date', 'date_utc', 'author'];

/** The input to send of a local record: a complete new record, or only some fields of an existing one. */
export function inputFor(local: LocalCalendar, state: SiteState, name: ResourceName, id: number, fields?: readonly string[]): Input {
  const source = local.source(name, id)!;
  const { date_utc } = source;
  const input: Input = Object.fromEntries(Object.entries(source).filter(([field]) => !own.includes(field)));
  if (date_utc !== undefined && !String(date_utc).startsWith('0000')) input.date_utc = date_utc;
  const definition: Resource = local.resources[name];
  if (!definition.fields.some((field) => field.name === 'slug')) delete input.slug;
  for (const { name: field, links: to, stored, nothing } of definition.fields) {
    if (!to || to === 'images' || to === 'users') continue;
    const ids = [source[field] ?? []].flat().map((each) => state.ofLocal(to as ResourceName, Number(each))?.remote);
    const mapped = ids.filter((each) => each !== undefined);
    if (stored.join) input[field] = mapped.length ? mapped : nothing.input;
    else if (mapped.length) input[field] = mapped[0];
    else delete input[field];
  }
  const empty = Object.fromEntries(definition.fields.map((field) => [field.name, field.nothing.input]));
  if (!fields) return Object.fromEntries(Object.entries(input).filter(([field, value]) => !isEqual(value, empty[field])));
  return Object.fromEntries(fields.filter((field) => field in empty).map((field) => [field, input[field] ?? empty[field]]));
}

/** The form of a new record with only those links that can be sent, because the site has their records, and the fields whose links can't. */
export function sendableForm(resource: Resource, state: SiteState, form: RecordForm): { form: RecordForm; unsent: string[] } {
  const sendable = { ...form };
  const unsent: string[] = [];
  for (const { name, links: to } of resource.fields) {
    const value = form[name];
    if (!to || to === 'images' || to === 'users' || !value) continue;
    const isThere = (id: unknown) => state.ofLocal(to as ResourceName, Number(id)) !== undefined;
    const ids = [value].flat();
    if (ids.every(isThere)) continue;
    unsent.push(name);
    sendable[name] = Array.isArray(value) ? ids.filter(isThere) : 0;
  }
  return { form: sendable, unsent };
}

/** The publication date, in the time zone of the calendar and in UTC. */
const publication: readonly string[] = ['date', 'date_utc'];

/** The ID of an image as sites take it: a number is refused as "not of type string". */
const imageText = ({ id }: { id?: number }): string | undefined => (id === undefined ? undefined : String(id));

/** An update with the fields that a site resets when they are omitted, with their values in a response. */
export function completeUpdate({ fields, resets = {} }: Resource, entry: Entry, update: Input): Input {
  const input: Input = {};
  // Drafts have no publication date yet, and one date alone determines the other.
  const isDated = !String(entry.date_utc).startsWith('0000') && !publication.some((name) => name in update);
  for (const field of fields) {
    const value = entry[field.name];
    if (!(field.name in resets) || value === undefined || value === null || (field.links === 'images' && !value)) continue;
    if (publication.includes(field.name) && !isDated) continue;
    if (field.stored.join) input[field.name] = embedded(value).map(({ id }) => Number(id));
    else if (field.links === 'images') input[field.name] = imageText(value as { id?: number });
    else {
      const text = field.compared.input(value, entry);
      // An event without a website shows the address of its page, which may change.
      if (text !== null) input[field.name] = text ?? value;
    }
  }
  return { ...input, ...update };
}

/**
 * The fields that an update has to repeat, and whose value on the site its API would refuse or change. `changes` are those of the user. The copy shows them, but no update keeps them.
 */
export function unrepeatable(resource: Resource, entry: Entry, changes: Input, ctx: RequestContext): string[] {
  const repeated = Object.entries(completeUpdate(resource, entry, {})).filter(([name]) => !(name in changes));
  const storable = storableInput(resource, Object.fromEntries(repeated), ctx);
  const isKept = (name: string, value: unknown) =>
    resource.fields.find((field) => field.name === name)!.compared.isKept?.(value, entry) ?? true;
  return repeated.filter(([name, value]) => !(name in storable) || !isKept(name, value)).map(([name]) => name);
}

/** True if a site refuses a slug because another term has it. Sites of WordPress answer with 500. */
export const isSlugTaken = (error: unknown): boolean =>
  error instanceof Failure && String(error.data.remote_code ?? error.code) === 'duplicate_term_slug';

/** The members of an input that a failure of a site is about. */
const refusedIn = (error: unknown): string[] =>
  isSlugTaken(error)
    ? ['slug']
    : error instanceof Failure && error.code === 'rest_invalid_param'
      ? Object.keys((error.data.params as object | undefined) ?? {})
      : [];

/** Runs a write; again without the fields that the site refuses, so that the others are not lost with them. Returns the input that was accepted. */
export async function withoutRefused(input: Input, write: (input: Input) => Promise<Entry>): Promise<{ entry: Entry; input: Input }> {
  try {
    return { entry: await write(input), input };
  } catch (error) {
    const names = refusedIn(error).filter((name) => name in input);
    if (!names.length) throw error;
    return withoutRefused(Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name))), write);
  }
}
