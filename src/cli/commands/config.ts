import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { configName, type PlacedConfig } from '../../data/project-config.ts';
import { writeFileFrom } from '../../data/write-file.ts';
import { configFiles, projectConfig, userFile } from '../connect/config.ts';
import { remoteAt } from '../connect/sync.ts';
import { targetOf } from '../connect/target.ts';
import { transportOptions } from '../connect/transport.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed } from '../terminal/prompt.ts';

interface ConfigValue {
  name: string;
  value: string;
  origin: string;
}

/** `calendar config`: configuration from environment and profiles. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List configuration, in order of precedence')
    .option('--show-origin', 'Show where each value comes from')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, options)));
  command
    .command('detect')
    .summary('Write what makes `calendar serve` look like a site to calendar.config.json; with --profile, only its address to a profile')
    .argument('<url>', 'Address of the site')
    .option('--print', 'Print the options as JSON, and write nothing')
    .option('-y, --yes', 'Replace other values in the file')
    .action(runner.action((session, [url], options) => detect(session, url as string, options)));
  command
    .command('schema')
    .summary('Print the JSON Schema of calendar.config.json')
    .action(
      runner.action(async (session) => {
        const { configJsonSchema } = await import('../../data/config-schema.ts');
        return session.print(`${JSON.stringify(configJsonSchema(), null, 2)}\n`) as Promise<undefined>;
      }),
    );
}

/** Detects the shape of a site and writes it to the project's file, whose other keys stay. */
async function detect(session: Session, address: string, { print, yes }: Record<string, unknown>): Promise<undefined> {
  const { terminal } = session;
  const { profile } = session.globals;
  const holder = profile === undefined ? undefined : (await configFiles(terminal)).find(({ profiles }) => Object.hasOwn(profiles, profile));
  const globals = holder ? session.globals : { ...session.globals, profile: undefined };
  const target = await targetOf({ ...globals, url: address, db: undefined }, terminal);
  const { authorization, headers } = await remoteAt({ ...session, globals }, address);
  const [{ detectSite }, { transportOf }] = await Promise.all([import('../connect/detect.ts'), import('../../client/transport.ts')]);
  const transport = transportOf({ ...transportOptions(globals, terminal, headers), attempts: 1 });
  const own = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) };
  const get = (url: string) => transport.send({ method: 'GET', url, headers: own, skipsText: true, staysOnHost: true });
  const { url } = target as { url: string };
  if (profile !== undefined) {
    const { findSite } = await import('../../client/site.ts');
    const root = await findSite(get, url, globals.namespace).finally(() => transport.close());
    return keepProfile(session, profile, root, holder, { print, yes });
  }
  const site = await detectSite(url, get, globals.namespace).finally(() => transport.close());
  if (print) return session.print(`${JSON.stringify({ serve: site }, null, 2)}\n`) as Promise<undefined>;
  const config = await projectConfig(terminal);
  const file = config?.file ?? join(terminal.cwd, configName);
  const before: Record<string, unknown> = config?.serve ?? {};
  const changes = Object.entries(site).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value));
  for (const [name, value] of changes) {
    const old = before[name] === undefined ? '' : `${JSON.stringify(before[name])} -> `;
    await session.tell(`  serve.${name}: ${old}${JSON.stringify(value)}`);
  }
  const replaced = changes.filter(([name]) => before[name] !== undefined).map(([name]) => name);
  if (replaced.length && !(await agreed(terminal, `Replace ${replaced.join(', ')} in ${file}?`, yes === true))) return undefined;
  if (!changes.length) return session.tell(`calendar: ${file} has these options already`) as Promise<undefined>;
  const whole = config ? (JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>) : {};
  await writeFileFrom(file, [`${JSON.stringify({ ...whole, serve: { ...before, ...site } }, null, 2)}\n`], terminal.interrupted);
  await session.tell(`calendar: Wrote ${file}`);
}

/** Writes an address to a profile, whose other keys stay: to the file that has it, or that of the user, whose addresses get secrets of the environment. */
async function keepProfile(
  { terminal, print: output, tell }: Session,
  name: string,
  url: string,
  holder: PlacedConfig | undefined,
  { print, yes }: Record<string, unknown>,
): Promise<undefined> {
  const before = (holder?.profiles[name] ?? {}) as { url?: string };
  const profile = { ...before, url };
  if (print) return output(`${JSON.stringify({ profiles: { [name]: { url } } }, null, 2)}\n`) as Promise<undefined>;
  const file = holder?.file ?? userFile(terminal);
  if (before.url === url) return tell(`calendar: ${file} has this address already`) as Promise<undefined>;
  await tell(`  profiles.${name}.url: ${before.url === undefined ? '' : `${JSON.stringify(before.url)} -> `}${JSON.stringify(url)}`);
  if (before.url !== undefined && !(await agreed(terminal, `Replace profiles.${name}.url in ${file}?`, yes === true))) return undefined;
  await mkdir(dirname(file), { recursive: true });
  const text = existsSync(file) ? await readFile(file, 'utf8') : '{}';
  const whole = JSON.parse(text) as { profiles?: Record<string, unknown> };
  const profiles = { ...whole.profiles, [name]: profile };
  await writeFileFrom(file, [`${JSON.stringify({ ...whole, profiles }, null, 2)}\n`], terminal.interrupted);
  return tell(`calendar: Wrote ${file}. Use it with --profile ${name}`) as Promise<undefined>;
}

async function list(session: Session, { showOrigin, json }: Record<string, unknown>): Promise<undefined> {
  const values = await valuesOf(session);
  if (json) await session.print(`${JSON.stringify(values, null, 2)}\n`);
  else await session.print(alignColumns(values.map(({ name, value, origin }) => [...(showOrigin ? [origin] : []), `${name}=${value}`])));
  if (!values.length && !json) await session.tell('No configuration in the environment or in profiles', true);
}

async function valuesOf({ terminal }: Session): Promise<ConfigValue[]> {
  const variables = Object.entries(terminal.env)
    .filter(([name, value]) => name.startsWith('CALENDAR_') && value)
    .map(([name, value]) => ({ name, value: redact(name, value), origin: 'environment' }));
  const files = (await configFiles(terminal)).flatMap(({ file, profile, profiles, serve = {} }) =>
    [
      ...Object.entries(serve).map(([key, value]) => [`serve.${key}`, value as unknown] as const),
      ...(profile === undefined ? [] : [['profile', profile] as const]),
      ...Object.entries(profiles).flatMap(([name, keys]) =>
        Object.entries(typeof keys === 'object' && keys !== null ? keys : {}).map(
          ([key, value]) => [`profiles.${name}.${key}`, value as unknown] as const,
        ),
      ),
    ].map(([name, value]) => ({ name, value: redact(name, value), origin: file })),
  );
  return [...variables.sort((a, b) => (a.name < b.name ? -1 : 1)), ...files];
}

/** Redacts passwords and tokens, also in addresses. */
function redact(name: string, value: unknown): string {
  if (/(password|token)$/i.test(name)) return '***';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/^(https?:\/\/[^:/@]*):[^@/]*@/i, '$1:***@');
}
