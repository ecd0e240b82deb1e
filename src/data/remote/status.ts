import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import type { SiteStatus } from '../../model/operation-types.ts';
import { owner } from '../../model/viewer.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { hostIn, SiteState, type StoredConflict, StoredConflicts } from '../../store/identity/sites.ts';
import { refusalsIn } from './conflicts.ts';
import { ageText } from './follow.ts';
import { localForms } from './forms.ts';
import { isBuried, isEqual, isUnchangedHere } from './pair.ts';

/** Number of records that are compared at a time. */
const batch = 500;

/** The state of a site without the line that says so. */
type Counted = Omit<SiteStatus, 'in_step' | 'text'>;

/** The last counts of a calendar, which compare every record. */
const counted = new WeakMap<Store, { version: number; sites: Counted[] }>();

/** The state of the copies of each site. `fails` tells of a site, by its key, whether it failed when it was last asked. */
export function sitesIn(store: Store, fails: (site: string) => boolean, now = Date.now()): SiteStatus[] {
  const { version } = store.db;
  const last = counted.get(store);
  const sites = last?.version === version ? last.sites : countsOf(store);
  counted.set(store, { version, sites });
  return sites.map((each) => {
    const host = hostIn(each.site);
    const isOnly = sites.filter(({ site }) => hostIn(site) === host).length === 1;
    const { isInStep, text } = inStep(each, isOnly ? host : each.site, now);
    return { ...each, in_step: fails(each.site) ? null : isInStep, text };
  });
}

/** Compares the counts with none: says whether a file is in step with a site, and the line about it. What remains for good doesn't count. */
export function inStep(counts: Counted, name: string, now: number): { isInStep: boolean | null; text: string } {
  const { pulled, pushed, part, local, conflicts, left, remote_changes, interrupted, not_accepted, protected: secret } = counts;
  const ago = (time: string) => (now - Date.parse(time) < 60_000 ? 'just now' : `${ageText(now - Date.parse(time))} ago`);
  const partly = part ? `; only ${part.only.join(', ')} ${part.what} ${ago(part.at)}` : '';
  const at = [pulled, pushed].filter((time) => time !== null).sort();
  const time = at.at(-1);
  if (time === undefined) return { isInStep: null, text: `Not copied completely yet: ${name}${partly}` };
  const counting = (count: number, one: string, many: string) => (count ? [`${count} ${count === 1 ? one : many}`] : []);
  const open = [
    ...counting(conflicts, 'conflict', 'conflicts'),
    ...counting(local.created + local.updated + local.deleted, 'edit not sent', 'edits not sent'),
    ...counting(left.length + remote_changes, 'change of the site not copied', 'changes of the site not copied'),
    ...counting(interrupted, 'record of an interrupted push', 'records of an interrupted push'),
  ];
  const standing = [
    ...counting(not_accepted, 'value that the site does not take', 'values that the site does not take'),
    ...counting(secret, 'record with a password', 'records with a password'),
  ];
  const command = conflicts ? ': calendar conflicts list' : '';
  if (open.length) return { isInStep: false, text: `Not in step with ${name}: ${[...open, ...standing].join(', ')}${command}${partly}` };
  const but = standing.length ? ` but for ${standing.join(', ')}` : '';
  return { isInStep: true, text: `In step with ${name}${but}, ${ago(time)}${partly}` };
}

function countsOf(store: Store): Counted[] {
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const all = new StoredConflicts(store.db).all();
  const refusals = refusalsIn(store, local);
  return SiteState.all(store.db)
    .filter(({ pulled, pushed, part }) => pulled !== null || pushed !== null || part !== null)
    .map(({ site, address, pulled, pushed, part, remote_changes, leftovers }) => {
      const state = new SiteState(store.db, site);
      const conflicts = all.filter((each) => each.site === site);
      const changes = { created: 0, updated: 0, deleted: 0, protected: 0 };
      for (const name of resourceNames)
        addChanges(
          local,
          state,
          name,
          conflicts.filter(({ resource }) => resource === name),
          changes,
        );
      const { protected: secret, ...edits } = changes;
      return {
        ...{ site, address, pulled, pushed, remote_changes, local: edits, protected: secret },
        part: part === null ? null : JSON.parse(part),
        conflicts: conflicts.length,
        left: JSON.parse(leftovers ?? '[]'),
        interrupted: state.interrupted,
        not_accepted: refusals.filter((each) => each.site === site).flatMap(({ fields }) => Object.keys(fields)).length,
      };
    });
}

/** Adds the records of a resource that were changed here. Values that the site did not accept and those in conflict don't count, nor do copies of another site. */
function addChanges(
  local: LocalCalendar,
  state: SiteState,
  name: ResourceName,
  conflicts: readonly StoredConflict[],
  changes: SiteStatus['local'] & { protected: number },
): void {
  const pairs = state.pairs(name);
  for (let at = 0; at < pairs.length; at += batch) {
    const part = pairs.slice(at, at + batch);
    const ids = part.map((pair) => pair.local);
    const forms = localForms(local, name, ids);
    for (const pair of part) {
      const form = forms.get(pair.local);
      const conflict = conflicts.find(({ remote }) => remote === pair.remote);
      const { refused = {} } = pair;
      if (conflict && (conflict.kind !== 'edited' || !form)) continue;
      if (!form) changes.deleted += isBuried(pair) ? 0 : 1;
      else {
        const isSendable = ([field, value]: [string, unknown]) =>
          !(field in refused && isEqual(refused[field], value)) && !(conflict && field in conflict.fields);
        const isEdited = !isUnchangedHere(Object.fromEntries(Object.entries(form).filter(isSendable)), pair);
        // A record with a password is not sent.
        if (isEdited) changes[form.post_password && pair.withheld !== 'password' ? 'protected' : 'updated']++;
      }
    }
  }
  for (const id of SiteState.unpaired(local.context.db, name))
    if (local.has(name, id)) changes[local.source(name, id)?.post_password ? 'protected' : 'created']++;
}
