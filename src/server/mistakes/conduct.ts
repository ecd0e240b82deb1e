import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { type MistakeName, mistakeText } from '../../model/mistakes/table.ts';
import { currentTime, derived } from '../../model/resource.ts';
import type { Call } from '../http.ts';

/** True if conduct is reported. */
const isOn = ({ options }: Call): boolean => options.hints !== false;

/** True if a request has no credentials, and needs none because the calendar has no users. */
function isAnonymous(call: Call): boolean {
  const { request, query, service, viewer } = call;
  const { authorization, 'x-wp-nonce': nonce } = request.headers;
  return (
    isOn(call) &&
    !call.options.anonymous &&
    viewer.role === 'owner' &&
    authorization === undefined &&
    nonce === undefined &&
    query._wpnonce === undefined &&
    !service.hasUsers()
  );
}

/** Notes that a request succeeded that a site answers with 401. */
export function noteAnonymous(call: Call): void {
  if (isAnonymous(call)) note(call, 'no-credentials', mistakeText('no-credentials'));
}

/** True for a record that visitors don't see, and for one with its stored texts. */
const isHidden = ({ status = 'publish', raw }: Entry): boolean => status !== 'publish' || raw !== undefined;

/** Notes that a response without credentials holds a record that visitors don't see, or one that is linked to it. */
export function noteHidden(call: Call, resource: Resource, entries: readonly Entry[]): void {
  if (resource.family === 'term' || !isAnonymous(call)) return;
  const links = resource.fields.filter(({ stored: { join } }) => join).map(({ name }) => name);
  const isShown = (entry: Entry) => isHidden(entry) || links.some((name) => embedded(entry[name]).some(isHidden));
  if (entries.some(isShown)) note(call, 'no-credentials', mistakeText('no-credentials'));
}

/** True if an update removes links that a site keeps, so that the record before it is needed. */
export const removesLinks = ({ keepsLinks = [], fields }: Resource, input: Input): boolean =>
  fields.some(
    ({ name, stored: { join } }) =>
      keepsLinks.includes(name) && (input[name] ?? undefined) !== undefined && !join!.items(input[name]).length,
  );

/** Notes what an update does here, and a site does differently. `entry` is the record after it. */
export function noteUpdate(call: Call, name: ResourceName, input: Input, before: Entry | undefined, entry: Entry): void {
  const resource: Resource = call.service.resources()[name];
  const { together = [], keepsLinks = [] } = resource;
  if (!isOn(call)) return;
  const mayBePartial = call.options.partialUpdates === true;
  const lost = mayBePartial ? [] : resetFields(call, resource, input, entry);
  if (lost.length) note(call, 'partial-update', mistakeText('partial-update', lost.join(', '), name));
  const [sent = [], missing = []] = [true, false].map((isSent) => together.filter((each) => (input[each] !== undefined) === isSent));
  if (!mayBePartial && sent.length && missing.length)
    note(call, 'single-date', mistakeText('single-date', sent.join(', '), missing.join(', ')));
  for (const each of removesLinks(resource, input) ? keepsLinks : [])
    if (embedded(before?.[each]).length) note(call, 'empty-venue', mistakeText('empty-venue', each));
}

/** The fields that an update leaves out, and whose values a site would reset. The publication date counts as none. */
function resetFields({ service }: Call, { fields, resets = {} }: Resource, input: Input, entry: Entry): string[] {
  const ctx = service.requestContext();
  return fields
    .filter((field) => {
      const { name, stored } = field;
      const reset = resets[name];
      if (reset === undefined || reset === derived || reset === currentTime || input[name] !== undefined || entry[name] === undefined)
        return false;
      if (stored.join) return embedded(entry[name]).length > 0;
      const value = String(field.compared.input(entry[name], entry) ?? '');
      // An empty time zone stands for that of the calendar.
      return value !== reset && value !== String(field.stored.value?.(reset, ctx) ?? '');
    })
    .map(({ name }) => name);
}

function note(call: Call, rule: MistakeName, text: string): void {
  call.mistakes.push({ rule, text });
}
