import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ZodError } from 'zod';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure, systemFailure } from '../model/error.ts';
import { isSeed } from '../model/operations/formats.ts';
import { serverFlag, serverOptionRows } from '../model/server-options.ts';
import { rolesOption } from '../model/viewer.ts';
import type { Config } from './config-schema.ts';
import { parseJson } from './json-position.ts';

/** A profile file and its path. */
export type PlacedConfig = Config & { file: string };

/** Called with the path of a file of another user, which is ignored. */
type OnForeign = (file: string) => void;

/** Name of a project's profile file. */
export const configName = 'calendar.config.json';

/** Reads the nearest `calendar.config.json`, from a folder upwards. Throws if it is unreadable or invalid. */
export async function projectConfigFrom(start: string, onForeign: OnForeign): Promise<PlacedConfig | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const config = await readConfig(join(folder, configName), onForeign);
    if (config || folder === dirname(folder)) return config;
  }
}

/** Reads a profile file. Ignores one of another user, since it could send commands anywhere. */
export async function readConfig(file: string, onForeign: OnForeign): Promise<PlacedConfig | undefined> {
  let text: string | undefined;
  try {
    text = ownText(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw systemFailure(error, file);
  }
  if (text === undefined) {
    onForeign(file);
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

const seeHelp = 'See: calendar help environment';

/** Converts a validation error of a profile file. */
export function invalidConfig(file: string, path: readonly string[], { issues }: ZodError, keys: readonly string[]): Failure {
  const issue = issues[0]!;
  const place = [...path, ...issue.path].join('.');
  const inside = place && `${place}: `;
  if (issue.code !== 'unrecognized_keys') return new Failure('bad-request', `${file}: ${inside}${issue.message}`, seeHelp);
  const [key = ''] = issue.keys;
  const isServe = place === 'serve';
  const row = serverOptionRows.find(([name, option]) => isServe && (name === key || serverFlag(name, option) === `--${key}`));
  if (row?.[1].isWithheld)
    return new Failure('bad-request', `${file}: ${inside}${key} can't be set in a file`, `Pass ${serverFlag(...row)} on the command line.`);
  const knownKeys = isServe ? [...serverOptionRows.map(([name]) => name), 'settings'] : keys;
  const hint = row
    ? `It is ${row[0]} here.`
    : (didYouMean(key, knownKeys) ?? (isServe ? 'See: calendar serve --help --all' : `Keys are ${keys.join(', ')}.`));
  return new Failure('bad-request', `${file}: ${inside}Unknown key ${JSON.stringify(key)}`, hint);
}

/** Options whose values are paths, or can be. */
const paths = ['file', 'media', 'seed', 'tlsCert', 'tlsKey', 'users'];

/** An option of `serve` in a profile file. */
interface ConfiguredOption {
  name: string;
  value: unknown;
}

/** The options of `serve` in a profile file; those that describe the shape of a site only with `shapeOnly`. Relative paths are resolved against the file. */
export function configuredOptions({ file, serve = {} }: PlacedConfig, shapeOnly: boolean): ConfiguredOption[] {
  const shape = serverOptionRows.filter(([, { isShape }]) => isShape).map(([name]) => name);
  const isPath = (name: string, value: unknown) =>
    paths.includes(name) &&
    typeof value === 'string' &&
    !(name === 'seed' && (isSeed(value) || /^[a-z]+:\/\//i.test(value))) &&
    !(name === 'users' && value === rolesOption);
  return (Object.entries(serve) as [string, unknown][])
    .filter(([name, value]) => value !== undefined && (!shapeOnly || shape.includes(name)))
    .map(([name, value]) => ({ name, value: isPath(name, value) ? resolve(dirname(file), value as string) : value }));
}
