import { resolve } from 'node:path';
import { Failure } from '../../model/error.ts';
import { isLoopback } from '../../model/loopback.ts';
import type { Globals } from '../global-options.ts';
import { readAll } from '../terminal/prompt.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import { profileOf, userFile } from './config.ts';
import type { Profile } from './config-schema.ts';

/**
 * The calendar that a command works on, which option, variable or file chose it, and the user that its profile or address names. `project` is the
 * project's file of profiles, where that says the address: who wrote it need not be who has the secrets of the environment.
 */
export type Target = { source: string; user?: string; password?: string; project?: string } & (
  | { kind: 'file'; file: string }
  | { kind: 'remote'; url: string; namespace?: string }
);

/** A user's name and password. */
export interface Credentials {
  name: string;
  password: string;
}

const passwordHint = 'Use --user NAME with CALENDAR_PASSWORD or --password-stdin.';

/** Chooses the calendar: `--url`, `--db`, CALENDAR_URL, CALENDAR_DB, a profile, or calendar.db in this folder, in this order. */
export async function targetOf(globals: Globals, terminal: Terminal): Promise<Target> {
  if (globals.url !== undefined && globals.db !== undefined)
    throw new Failure('bad-request', '--url and --db name two calendars', {}, 'Give one of them.');
  const url = (text: string, source: string, profile: Profile = {}) => remote(text, source, profile, globals, terminal);
  const file = (path: string, source: string, { user, password }: Profile = {}): Target => ({
    kind: 'file',
    file: path === ':memory:' ? path : resolve(terminal.cwd, path),
    source,
    user,
    password,
  });
  const from = (name: string) => variable(terminal, name);
  if (globals.url !== undefined) {
    if (URL.canParse(globals.url) && new URL(globals.url).password)
      throw new Failure('bad-request', 'a password in --url can be read by every user of this machine', {}, passwordHint);
    return url(globals.url, '--url');
  }
  if (globals.db !== undefined) return file(globals.db, '--db');
  if (globals.profile === undefined) {
    if (from('CALENDAR_URL')) return url(from('CALENDAR_URL')!, 'CALENDAR_URL');
    if (from('CALENDAR_DB')) return file(from('CALENDAR_DB')!, 'CALENDAR_DB');
  }
  const profile = await profileOf(terminal, globals.profile);
  const source = profile && `profile ${profile.name} of ${profile.file}`;
  if (profile?.url !== undefined)
    return { ...url(profile.url, source!, profile), ...(profile.file === userFile(terminal) ? {} : { project: profile.file }) };
  if (profile?.db !== undefined) return file(profile.db, source!, profile);
  return file('calendar.db', 'this folder');
}

/** An address whose scheme was left out, with it: http for this machine, https for all others. `:8787` is a port of this machine. Others stay. */
function withScheme(text: string): string {
  const [, host = ''] = /^((?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])?(?::\d+)?)(?:[/?#]|$)/i.exec(text) ?? [];
  const name = host.replace(/:\d+$/, '');
  // A word alone is rather a mistake than a host.
  if (host === '' || (host === name && !/[.[]|^localhost$/.test(name))) return text;
  return isLoopback(name || 'localhost') ? `http://${name ? '' : 'localhost'}${text}` : `https://${text}`;
}

function remote(text: string, source: string, profile: Profile, globals: Globals, terminal: Terminal): Target {
  const whole = withScheme(text);
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(
      'bad-request',
      `not an http or https address: ${JSON.stringify(text)}`,
      {},
      'Write it like https://example.org/wp-json.',
    );
  const user = url.username ? decodeURIComponent(url.username) : profile.user;
  const password = url.password ? decodeURIComponent(url.password) : profile.password;
  url.username = '';
  url.password = '';
  return {
    kind: 'remote',
    url: url.href,
    namespace: globals.namespace ?? profile.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE'),
    source,
    user,
    password,
  };
}

/** A secret of the environment, for a target. Fails where the address of that stands in a project's file, which must not decide where secrets go. */
export function secretFor(target: Target, name: string, terminal: Terminal): string | undefined {
  const secret = variable(terminal, name);
  if (secret === undefined || target.kind === 'file' || target.project === undefined) return secret;
  const hint = `Give --url ${target.url} to send it there, or write the profile in ${userFile(terminal)}.`;
  throw new Failure('bad-request', `${name} is not sent to ${target.url}: only ${target.project} says that address`, {}, hint);
}

/**
 * Who asks, for a target: the user of `--user`, of the profile or of CALENDAR_USER; undefined where none names one, which on a file stands for its
 * owner. A password never comes from the arguments.
 */
export async function credentialsOf(target: Target, globals: Globals, terminal: Terminal): Promise<Credentials | undefined> {
  const name = globals.user ?? target.user ?? secretFor(target, 'CALENDAR_USER', terminal);
  if (globals.user?.includes(':'))
    throw new Failure('bad-request', 'a password in --user can be read by every user of this machine', {}, passwordHint);
  if (name === undefined) {
    if (globals.passwordStdin) throw new Failure('bad-request', '--password-stdin needs --user', {}, 'Give --user NAME.');
    return undefined;
  }
  const known = name === target.user ? target.password : undefined;
  const own = target.project === undefined ? undefined : known;
  const password = globals.passwordStdin
    ? (await readAll(terminal, 'the password')).replace(/\r?\n$/, '')
    : (own ?? secretFor(target, 'CALENDAR_PASSWORD', terminal) ?? known);
  if (password === undefined)
    throw new Failure(
      'bad-request',
      `there is no password for ${JSON.stringify(name)}`,
      {},
      'Give it in CALENDAR_PASSWORD, by --password-stdin or in a profile.',
    );
  return { name, password };
}
