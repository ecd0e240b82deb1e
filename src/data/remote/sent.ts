import type { Entry, ResourceName } from '../../model/calendar.ts';
import { htmlToLine } from '../../model/html/plain-text.ts';
import { hasDates } from '../../model/resources/relations.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import type { SiteState } from '../../store/identity/sites.ts';
import type { Summary } from '../summary.ts';
import { recordLabel } from '../transaction.ts';
import { pairOf } from './forms.ts';
import { isEqual } from './pair.ts';

/** The outcome for new records whose push was interrupted. */
interface Adoption {
  /** Local IDs of records that the site has made of them, by their IDs there. */
  adopted: Map<number, number>;
  /** IDs of records of which several could be the same one. Neither side is copied. */
  unclear: { local: Set<number>; remote: Set<number> };
}

/** Pairs the new records that were being sent when a push was interrupted with those that the site has made since. `entries` are all that it has. Must be in a transaction. */
export function adopt(local: LocalCalendar, state: SiteState, name: ResourceName, entries: readonly Entry[], summary: Summary): Adoption {
  const result: Adoption = { adopted: new Map(), unclear: { local: new Set(), remote: new Set() } };
  for (const { local: id, after, form } of state.marks(name)) {
    const own = local.entry(name, id);
    const isNew = ({ id: remote }: Entry) => remote > after && state.localOf(name, remote) === undefined;
    const candidates = own && !state.ofLocal(name, id) ? entries.filter((entry) => isNew(entry) && isSame(name, own, entry)) : [];
    const [entry] = candidates;
    if (!own || !entry) continue;
    if (candidates.length > 1) {
      const ids = candidates.map((each) => each.id);
      result.unclear.local.add(id);
      for (const each of ids) result.unclear.remote.add(each);
      const at = `${name} ${id} (${recordLabel(name, own)})`;
      summary.problems.push({
        at,
        reason: `the site may have it as ${ids.join(' or ')}. Delete the others there; until then, none is copied`,
      });
      continue;
    }
    const pair = pairOf(local, state, name, id, entry);
    const { fromLocal, fromRemote, conflicts } = pair.merge();
    // The site rewrote these fields, did not accept them, or they were changed since on either side.
    const differing = [...fromLocal, ...fromRemote, ...conflicts];
    const isAsSent = (field: string) => isEqual(pair.local[field], form[field]);
    const asSent = differing.filter(isAsSent);
    const { refused } = pair.outcome(asSent, asSent);
    const unread = differing.filter((field) => !refused.includes(field) && !isEqual(pair.remote[field], form[field]));
    state.set(name, pair.toStore({ pending: differing.filter((field) => !isAsSent(field)), refused, unread }));
    if (refused.length)
      summary.problems.push({ at: `${name} ${id} (${recordLabel(name, own)})`, reason: `not accepted: ${refused.join(', ')}` });
    state.unmark(name, id);
    result.adopted.set(entry.id, id);
  }
  return result;
}

/** True if a record of a site can be what it made of a new record: with the same slug, or the same name and start. */
function isSame(name: ResourceName, own: Entry, entry: Entry): boolean {
  if (own.slug && own.slug === entry.slug) return true;
  const label = (record: Entry) => htmlToLine(recordLabel(name, record));
  return label(own) !== '' && label(own) === label(entry) && (!hasDates(name) || own.start_date === entry.start_date);
}
