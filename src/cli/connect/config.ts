import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Profile } from '../../data/config-schema.ts';
import { invalidConfig, type PlacedConfig, projectConfigFrom, readConfig } from '../../data/project-config.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { isSecret } from '../../server/journal/credentials.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

/** A selected profile with its name and file. */
type ChosenProfile = Profile & { name: string; file: string };

/** The existing profile files, the project's before the user's. Throws if one is unreadable or invalid. */
export async function configFiles(terminal: Terminal): Promise<PlacedConfig[]> {
  const user = await readConfig(userFile(terminal), (file) => noticeForeign(terminal, file));
  if (user?.serve) throw new Failure('bad-request', `${user.file}: serve belongs to a project`, 'Move it to its calendar.config.json.');
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
  const { profileSchema } = await import('../../data/config-schema.ts');
  const result = profileSchema.safeParse(profiles[name]);
  if (!result.success) throw invalidConfig(file, ['profiles', name], result.error, Object.keys(profileSchema.shape));
  const profile = result.data;
  const hasSecret = Object.entries(profile.headers ?? {}).some(([header, value]) => isSecret(header) && !value.includes('${'));
  if (profile.password !== undefined || hasSecret) requirePrivate(file);
  return { ...profile, ...(profile.db === undefined ? {} : { db: resolve(dirname(file), profile.db) }), name, file };
}

/** The user's profile file: `calendar/config.json` in XDG_CONFIG_HOME or `~/.config`. */
export function userFile(terminal: Terminal): string {
  const home = variable(terminal, 'HOME') ?? homedir();
  return join(variable(terminal, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'calendar', 'config.json');
}

/** Reads the nearest `calendar.config.json`, from the working directory upwards. */
export const projectConfig = (terminal: Terminal): Promise<PlacedConfig | undefined> =>
  projectConfigFrom(terminal.cwd, (file) => noticeForeign(terminal, file));

const noticeForeign = (terminal: Terminal, file: string) => {
  terminal.stderr.write(`calendar: Ignoring ${file}, which belongs to another user\n`);
};

/** Throws `bad-request` if others can read a file with a password. */
function requirePrivate(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  throw new Failure('bad-request', `${file} contains a password and is readable by others`, `Run: chmod 600 ${file}`);
}
