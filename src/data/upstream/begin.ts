import { Failure } from '../../model/error.ts';
import type { Store } from '../../store/calendar.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import { adoptSettings } from '../sync/remote.ts';
import type { UpstreamOptions } from './options.ts';

/** Makes a calendar the copy of a live site. Throws `bad-request` if it contains anything else. */
export async function beginCopy(
  store: Store,
  { root, mode, connect }: UpstreamOptions,
  namespace: string,
  isReadOnly: boolean,
): Promise<void> {
  const state = new UpstreamState(store.db);
  const place = store.db.file ?? 'the calendar in memory';
  const { site } = state;
  const hint = 'Pass a new file: --db FILE.';
  if (isReadOnly && mode !== 'offline')
    throw new Failure('bad-request', 'Use either --upstream or --read-only, not both', 'Without --upstream, the copy is served offline.');
  if (site && site.root !== root) throw new Failure('bad-request', `${place} is a copy of ${site.root}, not of ${root}`, hint);
  if (!site && state.hasUnrelated(root)) throw new Failure('bad-request', `${place} has records that are not from ${root}`, hint);
  if (site) return;
  const about = mode === 'offline' ? undefined : await (await connect()).about();
  await store.change((local) => {
    state.begin(root, namespace);
    if (about) adoptSettings(local, about);
  });
}
