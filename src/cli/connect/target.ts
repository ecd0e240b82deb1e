import { resolve } from 'node:path';
import type { Profile } from '../../data/config-schema.ts';
import { isLoopback, urlInWorld, worldPrefixOf, worldsPath } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { namespaceIn } from '../../model/routes.ts';
import { isSecret } from '../../server/journal/credentials.ts';
import type { Globals } from '../global-options.ts';
import { readAll } from '../terminal/prompt.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import { profileOf, userFile } from './config.ts';

/**
 * The selected calendar, the option, variable or file that selected it, and the user of its profile or address. `project` is the project's profile
 * file if it contains the address: its author may not be trusted with secrets of the environment. `retry` is what a person does to send them all the same. `namespace` is for this address, if that has none; `usualNamespace`, of the environment, is
 * for all addresses that no file knows.
 */
export type Target = Pick<Profile, 'user' | 'password' | 'headers'> & {
  source: string;
  project?: string;
  retry?: string;
  isProjectProfile?: boolean;
} & ({ kind: 'file'; file: string } | { kind: 'remote'; url: string; namespace?: string; usualNamespace?: string });

export interface Credentials {
  name: string;
  password: string;
}

const passwordHint = 'Use --user NAME with CALENDAR_PASSWORD or --password-stdin.';

/** Selects the calendar: `--url`, `--db`, CALENDAR_URL, CALENDAR_DB, a profile, or calendar.db in this folder, in this order. */
export async function targetOf(globals: Globals, terminal: Terminal): Promise<Target> {
  const target = await targetOfServer(globals, terminal);
  const world = globals.world ?? variable(terminal, 'CALENDAR_WORLD');
  if (!world) return target;
  if (target.kind === 'file')
    throw new Failure(
      'bad-request',
      `A world is part of a server, and ${target.file} is a file`,
      'Pass --url, or omit --world and CALENDAR_WORLD.',
    );
  const pathWorld = worldPrefixOf(new URL(target.url).pathname).slice(worldsPath.length + 1);
  if (pathWorld !== '' && pathWorld !== world)
    throw new Failure('bad-request', `The address selects the world ${pathWorld}, but --world or CALENDAR_WORLD is ${world}`);
  return { ...target, url: urlInWorld(target.url, encodeURIComponent(world)) };
}

async function targetOfServer(globals: Globals, terminal: Terminal): Promise<Target> {
  if (globals.url !== undefined && globals.db !== undefined) throw new Failure('bad-request', 'Use either --url or --db, not both');
  const url = (text: string, source: string, profile: Profile = {}) => remoteTarget(text, source, profile, globals, terminal);
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
      throw new Failure('bad-request', 'A password in --url is visible to every user of this machine', passwordHint);
    const target = url(globals.url, '--url');
    return globals.profile === undefined ? target : withProfile(target, globals, terminal);
  }
  if (globals.db !== undefined) return file(globals.db, '--db');
  if (globals.profile === undefined) {
    if (from('CALENDAR_URL')) return url(from('CALENDAR_URL')!, 'CALENDAR_URL');
    if (from('CALENDAR_DB')) return file(from('CALENDAR_DB')!, 'CALENDAR_DB');
  }
  const profile = await profileOf(terminal, globals.profile);
  const isProjectProfile = profile !== undefined && profile.file !== userFile(terminal);
  const source = profile && `profile "${profile.name}" in ${profile.file}`;
  if (profile?.url !== undefined)
    return { ...url(profile.url, source!, profile), isProjectProfile, ...(isProjectProfile ? { project: profile.file } : {}) };
  if (profile?.db !== undefined) return file(profile.db, source!, profile);
  return file('calendar.db', 'this folder');
}

/**
 * The server of `--url` with the user and the headers of the profile of `--profile`, if that has an address too. Throws `bad-request` if the profile is for
 * another server.
 */
async function withProfile(target: Target, globals: Globals, terminal: Terminal): Promise<Target> {
  const profile = await targetOfServer({ ...globals, url: undefined, db: undefined }, terminal);
  if (target.kind !== 'remote' || profile.kind !== 'remote') return target;
  const { origin } = new URL(profile.url);
  if (new URL(target.url).origin !== origin)
    throw new Failure(
      'bad-request',
      `The profile ${globals.profile} is for ${origin}, not for ${target.url}`,
      'Omit --profile, or the address.',
    );
  const { user, password, headers, isProjectProfile } = profile;
  return {
    ...target,
    headers,
    isProjectProfile,
    namespace: target.namespace ?? (namespaceIn(target.url) === undefined ? profile.namespace : undefined),
    ...(target.user === undefined ? { user, password } : {}),
  };
}

/** Adds a missing scheme: http for this machine, https for all others. `:8787` is a port of this machine. */
function withScheme(text: string): string {
  const [, host = ''] = /^((?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])?(?::\d+)?)(?:[/?#]|$)/i.exec(text) ?? [];
  const name = host.replace(/:\d+$/, '');
  // A single word is more likely a mistake than a host.
  if (host === '' || (host === name && !/[.[]|^localhost$/.test(name))) return text;
  return isLoopback(name || 'localhost') ? `http://${name ? '' : 'localhost'}${text}` : `https://${text}`;
}

function remoteTarget(text: string, source: string, profile: Profile, globals: Globals, terminal: Terminal): Target {
  if (globals.calendarTimezone !== undefined)
    throw new Failure('bad-request', 'The time zone of a server is set by its owner', 'Omit --calendar-timezone and --timezone.');
  const whole = withScheme(text);
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure('bad-request', `Invalid URL ${JSON.stringify(text)}`, 'Example: https://example.org/wp-json');
  const user = url.username ? decodeURIComponent(url.username) : profile.user;
  const password = url.password ? decodeURIComponent(url.password) : profile.password;
  url.username = '';
  url.password = '';
  const isComplete = namespaceIn(url.href) !== undefined;
  return {
    kind: 'remote',
    url: url.href,
    namespace: globals.namespace ?? (isComplete ? undefined : profile.namespace),
    usualNamespace: isComplete ? undefined : variable(terminal, 'CALENDAR_NAMESPACE'),
    source,
    user,
    password,
    headers: profile.headers,
  };
}

/** True if a server may have the control API: sites on other machines have none without a token. */
export const mayControl = (url: string, token: string | undefined): boolean => token !== undefined || isLoopback(new URL(url).hostname);

/** Throws `bad-request` if its address comes from a project's file. */
export function secretFor(target: Target, name: string, terminal: Terminal): string | undefined {
  const secret = variable(terminal, name);
  if (secret === undefined || target.kind === 'file' || target.project === undefined) return secret;
  const hint = target.retry ?? `Pass --url ${target.url}, or move the profile to ${userFile(terminal)}.`;
  throw new Failure('bad-request', `Refusing to send ${name} to ${target.url}, an address from ${target.project}`, hint);
}

/**
 * The credentials for a target: the user of `--user`, of the profile or of CALENDAR_USER; undefined without a user, which means the owner of
 * a file. Passwords are never read from arguments.
 */
export async function credentialsOf(target: Target, globals: Globals, terminal: Terminal): Promise<Credentials | undefined> {
  const name = globals.user ?? target.user ?? secretFor(target, 'CALENDAR_USER', terminal);
  if (globals.user?.includes(':'))
    throw new Failure('bad-request', 'A password in --user is visible to every user of this machine', passwordHint);
  if (name === undefined) {
    if (globals.passwordStdin) throw new Failure('bad-request', '--password-stdin requires --user', 'Pass --user NAME.');
    return undefined;
  }
  const profilePassword = name === target.user ? target.password : undefined;
  const own = target.project === undefined ? undefined : profilePassword;
  const password = globals.passwordStdin
    ? (await readAll(terminal, 'the password')).replace(/\r?\n$/, '')
    : (own ?? secretFor(target, 'CALENDAR_PASSWORD', terminal) ?? profilePassword);
  if (password === undefined)
    throw new Failure(
      'bad-request',
      `Missing password for ${JSON.stringify(name)}`,
      'Set CALENDAR_PASSWORD, or use --password-stdin or a profile.',
    );
  return { name, password };
}

/** Headers of a message's framing, which only the client sets. */
const managed = new Set(['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Matches a reference to a variable of the environment. */
const reference = /\$\{(\w+)\}/g;
const hasReference = (text: string) => /\$\{\w+\}/.test(text);

/** The headers in `Name: value` lines, with names in lower case. Expands `${VARIABLE}`; rejects secrets that are written out, which every user of this machine can see. */
export function readHeaders(lines: readonly string[], terminal: Terminal): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[\t ]*(?![\t ])(.*)$/.exec(line) ?? [];
    if (!name) throw new Failure('bad-request', `Invalid header ${JSON.stringify(line)}`, "Example: 'Accept-Language: de'");
    if (isSecret(name) && !hasReference(value))
      throw new Failure(
        'bad-request',
        `The value of ${name} on the command line is visible to every user of this machine`,
        `Set it in a variable: --header '${name}: \${${name.toUpperCase().replace(/\W/g, '_')}}'`,
      );
    headers[checkedName(name)] = expanded(value, name, terminal);
  }
  return headers;
}

function checkedName(name: string): string {
  const lower = name.toLowerCase();
  if (managed.has(lower)) throw new Failure('bad-request', `The header ${name} can't be set`);
  return lower;
}

function expanded(value: string, name: string, { env }: Terminal): string {
  const text = value.replace(reference, (_, variable: string) => {
    if (env[variable]) return env[variable];
    throw new Failure('bad-request', `The variable ${variable} of the header ${name} is not set`);
  });
  if (/[\0\r\n]/.test(text)) throw new Failure('bad-request', `The header ${name} contains a line break`);
  return text;
}

/** The headers for requests to a target: those of its profile, overridden by `--header`. A project's file can't use variables of the environment. */
export function headersFor(target: Target, { header = [] }: Globals, terminal: Terminal): Record<string, string> {
  const isProject = target.kind === 'remote' && target.project !== undefined;
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    if (target.isProjectProfile && hasReference(value))
      throw new Failure(
        'bad-request',
        `The header ${name} in ${target.source} refers to a variable`,
        'Only your own profile file may use variables. Pass the header with --header instead.',
      );
    own[checkedName(name)] = target.isProjectProfile ? value : expanded(value, name, terminal);
  }
  const withVariable = header.find(hasReference);
  if (isProject && withVariable !== undefined)
    throw new Failure(
      'bad-request',
      `Refusing to send a variable to ${target.url}, an address from ${target.project}`,
      target.retry ?? `Pass --url ${target.url}.`,
    );
  return { ...own, ...readHeaders(header, terminal) };
}
