import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { resourceList } from '../options.ts';
import type { Session } from '../session.ts';
import { credentialsOf, targetOf } from './target.ts';

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

/** Where the calendar at `url` is: the address that its routes start with, and the value of the header that says who asks. */
export async function remoteAt({ globals, terminal }: Session, url: string): Promise<{ root: string; authorization?: string }> {
  const named = { ...globals, url, db: undefined, profile: undefined };
  const target = await targetOf(named, terminal);
  if (target.kind !== 'remote') throw new Failure('bad-request', `${target.source} names no server`);
  const credentials = await credentialsOf(target, named, terminal);
  const { basic, rootOf } = await import('../../client/remote.ts');
  return { root: rootOf(target.url, target.namespace), ...(credentials ? { authorization: basic(credentials) } : {}) };
}
