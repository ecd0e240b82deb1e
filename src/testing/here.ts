import project from '../../package.json' with { type: 'json' };
import type { TransportOptions } from '../client/transport.ts';
import type { OpenSource } from '../data/ingest/source.ts';
import { nodeParts } from '../data/node-parts.ts';
import type { ConnectTo } from '../data/remote/site.ts';
import { controllerForMany } from '../data/world/waiting.ts';
import { Failure } from '../model/error.ts';
import { arrivalAt } from './alone.ts';
import type { ControlledCalendar } from './calendar.ts';
import type { CalendarOptions } from './options.ts';
import type { Surroundings } from './serve.ts';

/** Returns how this process sends requests, with the proxies of its environment. */
export const transportHere = (timeout = 30_000): TransportOptions => ({
  timeout,
  userAgent: `local-calendar/${project.version}`,
  env: process.env,
  signal: controllerForMany().signal,
  now: Date.now,
  random: Math.random,
});

/** Opens calendars on other servers, for pull and push. */
const connectorHere: ConnectTo = async (root, authorization, headers, onWait) => {
  const { connectTo } = await import('../client/remote.ts');
  return connectTo(root, authorization, { ...transportHere(), headers, onWait });
};

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* [];
}

/** Opens files and URLs. */
export const openHere: OpenSource = async (name) => {
  const { openSource } = await import('../data/ingest/opened-source.ts');
  return openSource(name, { cwd: process.cwd(), stdin: nothing(), transport: transportHere() });
};

/** The surroundings in Node. */
export const here: Surroundings = {
  node: nodeParts(connectorHere),
  open: openHere,
  page: async () => (await import('../web/page.ts')).webPage(),
  arrivalAt,
};

/** See {@link createServed}. */
export async function createHere(options: CalendarOptions, keepsRunning?: boolean): Promise<ControlledCalendar> {
  const { createServed } = await import('./serve.ts');
  return createServed(options?.config ? { ...(await configuredShape(true)), ...options } : options, here, keepsRunning);
}

/** Returns the shape of a site in the project's `calendar.config.json`. Without one it is empty, or `bad-request` is thrown if it `isRequired`. */
export async function configuredShape(isRequired: boolean, folder = process.cwd()): Promise<Partial<CalendarOptions>> {
  const { configName, configuredOptions, projectConfigFrom } = await import('../data/project-config.ts');
  const foreign: string[] = [];
  const config = await projectConfigFrom(folder, (file) => foreign.push(file));
  if (config) return Object.fromEntries(configuredOptions(config, true).map(({ name, value }) => [name, value]));
  if (isRequired)
    throw new Failure(
      'bad-request',
      foreign.length ? `${foreign[0]} belongs to another user` : `No ${configName} in ${folder} or above it`,
      'Create one with calendar config detect URL, or omit config.',
    );
  return {};
}
