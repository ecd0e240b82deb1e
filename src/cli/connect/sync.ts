import { type Command, Option } from 'commander';
import type { RemoteCalendar } from '../../data/sync/remote.ts';
import type { Store } from '../../store/calendar.ts';
import { resourceList } from '../options.ts';
import type { Session } from '../session.ts';
import { connect, openFile, remoteRoot } from './connect.ts';

/** The argument and the option that pull, push and diff have in common. */
export const addRemote = (command: Command): Command =>
  command
    .argument('<url>', 'the remote calendar: its address, with or without the namespace')
    .addOption(new Option('--only <resources>', 'some resources only, with commas').argParser(resourceList));

/** The same session for the calendar that the options name, whatever server the environment names. Who asks is asked at the other one. */
export const onFile = (session: Session): Session => ({
  ...session,
  globals: { ...session.globals, user: undefined, passwordStdin: undefined },
  terminal:
    session.globals.url === undefined
      ? { ...session.terminal, env: { ...session.terminal.env, CALENDAR_URL: undefined } }
      : session.terminal,
});

/** The remote calendar of `url` as operations take it. */
export const remoteAt = ({ globals, terminal }: Session, url: string): Promise<{ root: string; authorization?: string }> =>
  remoteRoot({ ...globals, url, db: undefined, profile: undefined }, terminal);

/** Opens the file that the options name, whatever server the environment names, and the remote calendar at `url`; closes both after the work. */
export async function withRemote<T>(
  session: Session,
  url: string,
  mode: 'read' | 'write',
  work: (store: Store, remote: RemoteCalendar) => Promise<T>,
): Promise<T> {
  const { globals, terminal } = onFile({ ...session, globals: { ...session.globals, url: undefined } });
  const store = await openFile(globals, terminal, mode);
  try {
    const remote = await connect({ ...session.globals, url, db: undefined, profile: undefined }, session.terminal, 'write');
    try {
      return await work(store, { calendar: remote.calendar, site: remote.root! });
    } finally {
      await remote.close();
    }
  } finally {
    await store.close();
  }
}
