import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ZodError } from 'zod';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { systemFailure } from '../../model/system-error.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import type { Config, Profile } from './config-schema.ts';

/** A file of profiles, and where it stands. */
export type PlacedConfig = Config & { file: string };

/** A profile that was asked for, what it is called, and where it stands. */
export type ChosenProfile = Profile & { name: string; file: string };

/** The files of profiles that there are: the project's comes before the user's. Fails when one cannot be read, or is none. */
export async function configFiles(terminal: Terminal): Promise<PlacedConfig[]> {
  return [await projectConfig(terminal), await readConfig(userFile(terminal), terminal)].filter((each) => each !== undefined);
}

/** The named profile, or the default one. Undefined when no profile is asked for; fails when it is not there, or has a mistake. */
export async function profileOf(terminal: Terminal, name: string | undefined): Promise<ChosenProfile | undefined> {
  const found = await configFiles(terminal);
  const asked = name ?? variable(terminal, 'CALENDAR_PROFILE');
  const naming = asked === undefined ? found.find((each) => each.profile !== undefined) : undefined;
  const wanted = asked ?? naming?.profile;
  if (wanted === undefined) return undefined;
  const holder = found.find((each) => Object.hasOwn(each.profiles, wanted));
  if (holder) return checked(holder, wanted);
  const names = found.flatMap((each) => Object.keys(each.profiles));
  const where = found.filter((each) => Object.keys(each.profiles).length);
  const hint =
    didYouMean(wanted, names) ??
    (where.length
      ? `Profiles are ${where.map(({ file, profiles }) => `${Object.keys(profiles).join(', ')} (${file})`).join(', ')}.`
      : `Write it in ${(naming ?? found[0])?.file ?? userFile(terminal)}; see calendar help environment.`);
  const told = naming ? `${naming.file} takes the profile ${JSON.stringify(wanted)}, which there is not` : undefined;
  throw new Failure('bad-request', told ?? `there is no profile ${JSON.stringify(wanted)}`, {}, hint);
}

/** A profile in its form. Its `db` is absolute: it is relative to the file of profiles. */
async function checked({ file, profiles }: PlacedConfig, name: string): Promise<ChosenProfile> {
  const { profileSchema } = await import('./config-schema.ts');
  const result = profileSchema.safeParse(profiles[name]);
  if (!result.success) throw malformed(file, ['profiles', name], result.error, Object.keys(profileSchema.shape));
  const profile = result.data;
  if (profile.password !== undefined) await requirePrivate(file);
  return { ...profile, ...(profile.db === undefined ? {} : { db: resolve(dirname(file), profile.db) }), name, file };
}

/** What is wrong with the form of a file of profiles, or of one of them. */
function malformed(file: string, path: readonly string[], { issues }: ZodError, known: readonly string[]): Failure {
  const issue = issues[0]!;
  const place = [...path, ...issue.path].join('.');
  const inside = place && `${place}: `;
  if (issue.code !== 'unrecognized_keys') return new Failure('bad-request', `${file}: ${inside}${issue.message}`, {}, seeHelp);
  const [key = ''] = issue.keys;
  const hint = didYouMean(key, known) ?? `Keys are ${known.join(', ')}.`;
  return new Failure('bad-request', `${file}: ${inside}there is no key ${JSON.stringify(key)}`, {}, hint);
}

const seeHelp = 'See calendar help environment.';

/** The user's own file of profiles: `calendar/config.json` in XDG_CONFIG_HOME or `~/.config`. */
export function userFile(terminal: Terminal): string {
  const home = variable(terminal, 'HOME') ?? homedir();
  return join(variable(terminal, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'calendar', 'config.json');
}

/** The nearest `calendar.config.json`, from the working directory upwards. */
async function projectConfig(terminal: Terminal): Promise<PlacedConfig | undefined> {
  for (let folder = terminal.cwd; ; folder = dirname(folder)) {
    const found = await readConfig(join(folder, 'calendar.config.json'), terminal);
    if (found || folder === dirname(folder)) return found;
  }
}

/** A file of profiles; undefined where there is none, and with a word about it where another user wrote it, who could have commands go anywhere. */
async function readConfig(file: string, terminal: Terminal): Promise<PlacedConfig | undefined> {
  let text: string | undefined;
  try {
    text = await ownText(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw systemFailure(error, `cannot read ${file}`);
  }
  if (text === undefined) {
    terminal.stderr.write(`calendar: ${file} belongs to another user and is passed over\n`);
    return undefined;
  }
  const { configSchema } = await import('./config-schema.ts');
  const result = configSchema.safeParse(parsed(text, file));
  if (!result.success) throw malformed(file, [], result.error, Object.keys(configSchema.shape));
  return { ...result.data, file };
}

/** The text of a file of this user or the administrator; undefined for one of another user. */
async function ownText(file: string): Promise<string | undefined> {
  // Who opens a pipe waits for somebody who writes, for ever if need be.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await handle.stat();
    const isOwn = process.getuid === undefined || stat.uid === process.getuid() || stat.uid === 0;
    if (isOwn && !stat.isFile() && !stat.isDirectory()) throw new Failure('bad-request', `cannot read ${file}: it is no file`);
    return isOwn ? await handle.readFile('utf8') : undefined;
  } finally {
    await handle.close();
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure('bad-request', `${file} is not JSON: ${(error as Error).message}`);
  }
}

/** Fails if others than its owner can read a file with a password. */
async function requirePrivate(file: string): Promise<void> {
  if (process.platform === 'win32' || ((await stat(file)).mode & 0o077) === 0) return;
  throw new Failure('bad-request', `${file} holds a password and others can read it`, {}, `chmod 600 ${file}`);
}
