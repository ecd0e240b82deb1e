import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import type { Config, Profile } from './config-schema.ts';

type PlacedConfig = Config & { file: string };

/** The named profile, or the default one; the project's file comes before the user's. Undefined when no profile is asked for. */
export async function profileOf(terminal: Terminal, name: string | undefined): Promise<Profile | undefined> {
  const found = [await projectConfig(terminal), await readConfig(userFile(terminal))].filter((each) => each !== undefined);
  const wanted = name ?? variable(terminal, 'CALENDAR_PROFILE') ?? found.find((each) => each.profile !== undefined)?.profile;
  if (wanted === undefined) return undefined;
  const holder = found.find((each) => Object.hasOwn(each.profiles, wanted));
  if (holder) return withAbsoluteFile(holder.profiles[wanted]!, holder.file);
  const names = found.flatMap((each) => Object.keys(each.profiles));
  const hint =
    didYouMean(wanted, names) ??
    (names.length ? `Profiles are ${names.join(', ')}.` : `Write it in ${userFile(terminal)}; see calendar help environment.`);
  throw new Failure('bad-request', `there is no profile ${JSON.stringify(wanted)}`, {}, hint);
}

/** A profile whose `db` is absolute: it is relative to the file of profiles. */
const withAbsoluteFile = (found: Profile, file: string): Profile =>
  found.db === undefined ? found : { ...found, db: resolve(dirname(file), found.db) };

/** The user's own file of profiles: `calendar/config.json` in XDG_CONFIG_HOME or `~/.config`. */
export function userFile(terminal: Terminal): string {
  const home = variable(terminal, 'HOME') ?? homedir();
  return join(variable(terminal, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'calendar', 'config.json');
}

/** The nearest `calendar.config.json`, from the working directory upwards. */
async function projectConfig(terminal: Terminal): Promise<PlacedConfig | undefined> {
  for (let folder = terminal.cwd; ; folder = dirname(folder)) {
    const found = await readConfig(join(folder, 'calendar.config.json'));
    if (found || folder === dirname(folder)) return found;
  }
}

async function readConfig(file: string): Promise<PlacedConfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new Failure('bad-request', `cannot read ${file}: ${(error as Error).message}`);
  }
  const { configSchema } = await import('./config-schema.ts');
  const result = configSchema.safeParse(parsed(text, file));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Failure('bad-request', `${file}: ${[...issue!.path, issue!.message].join(': ')}`, {}, 'See calendar help environment.');
  }
  if (Object.values(result.data.profiles).some((each) => each.password !== undefined)) await requirePrivate(file);
  return { ...result.data, file };
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
