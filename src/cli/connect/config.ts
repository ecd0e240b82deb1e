import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ZodError } from 'zod';
import { parseJson } from '../../data/json-position.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { isSecret } from '../../server/journal/credentials.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import type { Config, Profile } from './config-schema.ts';

/** A profile file and its path. */
export type PlacedConfig = Config & { file: string };

/** A selected profile with its name and file. */
export type ChosenProfile = Profile & { name: string; file: string };

/** Returns the existing profile files, the project's before the user's. Throws if one is unreadable or invalid. */
export async function configFiles(terminal: Terminal): Promise<PlacedConfig[]> {
  const user = await readConfig(userFile(terminal), terminal);
  if (user?.fields) throw new Failure('bad-request', `${user.file}: fields belong to a project`, 'Move them to its calendar.config.json.');
  return [await projectConfig(terminal), user].filter((each) => each !== undefined);
}

/** Throws `bad-request` if it doesn't exist or is invalid. */
export async function profileOf(terminal: Terminal, name: string | undefined): Promise<ChosenProfile | undefined> {
  const files = await configFiles(terminal);
  const selected = name ?? variable(terminal, 'CALENDAR_PROFILE');
  const source = selected === undefined ? files.find((each) => each.profile !== undefined) : undefined;
  const profile = selected ?? source?.profile;
  if (profile === undefined) return undefined;
  const holder = files.find((each) => Object.hasOwn(each.profiles, profile));
  if (holder) return validProfile(holder, profile);
  const names = files.flatMap((each) => Object.keys(each.profiles));
  const where = files.filter((each) => Object.keys(each.profiles).length);
  const hint =
    didYouMean(profile, names) ??
    (where.length
      ? `Profiles are ${where.map(({ file, profiles }) => `${Object.keys(profiles).join(', ')} (${file})`).join(', ')}.`
      : `Add it to ${(source ?? files[0])?.file ?? userFile(terminal)}. See: calendar help environment`);
  throw new Failure('bad-request', `${source ? `${source.file}: ` : ''}Unknown profile ${JSON.stringify(profile)}`, hint);
}

/** Validates a profile. A relative `db` is resolved against the profile file. */
async function validProfile({ file, profiles }: PlacedConfig, name: string): Promise<ChosenProfile> {
  const { profileSchema } = await import('./config-schema.ts');
  const result = profileSchema.safeParse(profiles[name]);
  if (!result.success) throw invalidConfig(file, ['profiles', name], result.error, Object.keys(profileSchema.shape));
  const profile = result.data;
  const hasSecret = Object.entries(profile.headers ?? {}).some(([header, value]) => isSecret(header) && !value.includes('${'));
  if (profile.password !== undefined || hasSecret) requirePrivate(file);
  return { ...profile, ...(profile.db === undefined ? {} : { db: resolve(dirname(file), profile.db) }), name, file };
}

/** Converts a validation error of a profile file. */
function invalidConfig(file: string, path: readonly string[], { issues }: ZodError, keys: readonly string[]): Failure {
  const issue = issues[0]!;
  const place = [...path, ...issue.path].join('.');
  const inside = place && `${place}: `;
  if (issue.code !== 'unrecognized_keys') return new Failure('bad-request', `${file}: ${inside}${issue.message}`, seeHelp);
  const [key = ''] = issue.keys;
  const hint = didYouMean(key, keys) ?? `Keys are ${keys.join(', ')}.`;
  return new Failure('bad-request', `${file}: ${inside}Unknown key ${JSON.stringify(key)}`, hint);
}

const seeHelp = 'See: calendar help environment';

/** Returns the user's profile file: `calendar/config.json` in XDG_CONFIG_HOME or `~/.config`. */
export function userFile(terminal: Terminal): string {
  const home = variable(terminal, 'HOME') ?? homedir();
  return join(variable(terminal, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'calendar', 'config.json');
}

/** Reads the nearest `calendar.config.json`, from the working directory upwards. */
export async function projectConfig(terminal: Terminal): Promise<PlacedConfig | undefined> {
  for (let folder = terminal.cwd; ; folder = dirname(folder)) {
    const config = await readConfig(join(folder, 'calendar.config.json'), terminal);
    if (config || folder === dirname(folder)) return config;
  }
}

/** Reads a profile file. Ignores one of another user with a notice, since it could send commands anywhere. */
async function readConfig(file: string, terminal: Terminal): Promise<PlacedConfig | undefined> {
  let text: string | undefined;
  try {
    text = ownText(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw systemFailure(error, file);
  }
  if (text === undefined) {
    terminal.stderr.write(`calendar: Ignoring ${file}, which belongs to another user\n`);
    return undefined;
  }
  const { configSchema } = await import('./config-schema.ts');
  const result = configSchema.safeParse(parseJson(text, file));
  if (!result.success) throw invalidConfig(file, [], result.error, Object.keys(configSchema.shape));
  return { ...result.data, file };
}

/** Reads a file of this user or the administrator. Returns undefined for one of another user. */
function ownText(file: string): string | undefined {
  // Opening a pipe blocks until there is a writer.
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    const isOwn = process.getuid === undefined || stat.uid === process.getuid() || stat.uid === 0;
    if (isOwn && !stat.isFile() && !stat.isDirectory()) throw new Failure('bad-request', `${file} is not a file`);
    return isOwn ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Throws `bad-request` if others can read a file with a password. */
function requirePrivate(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  throw new Failure('bad-request', `${file} contains a password and is readable by others`, `Run: chmod 600 ${file}`);
}
