import type { Entry, ResourceName } from '../../model/calendar.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { isTerms } from '../../model/resources/names.ts';
import { linkFields } from '../../model/resources/relations.ts';

/** Statuses that visitors see, now or at a later time. */
const publicStatuses: readonly unknown[] = ['publish', 'future', undefined];

const withHiddenStatus = (entry: Entry): Entry => (publicStatuses.includes(entry.status) ? { ...entry, status: 'private' } : entry);

/** Returns a record that only a user of the site sees as it is stored: with a status that hides it from visitors, and without what only that user sees of records that it embeds. */
export function hiddenEntry(
  resources: Resources,
  name: ResourceName,
  entry: Entry,
  isKnown: (to: ResourceName, id: number) => boolean,
): Entry {
  const linked = linkFields(name).flatMap(({ name: field, links: to }) => {
    const value = entry[field];
    if (value === undefined) return [];
    const each = embedded(value).map((one) => {
      const unknown = unknownMembers(resources[to], one);
      const plain = Object.fromEntries(Object.entries(one).filter(([member]) => !Object.hasOwn(unknown, member))) as Entry;
      return isTerms(to) || isKnown(to, Number(one.id)) ? plain : withHiddenStatus(plain);
    });
    return [[field, Array.isArray(value) ? each : (each[0] ?? value)]];
  });
  return withHiddenStatus({ ...entry, ...Object.fromEntries(linked) });
}
