import type { Command } from 'commander';
import { configFiles } from '../connect/config.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';

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
  const files = (await configFiles(terminal)).flatMap(({ file, profile, profiles }) =>
    [
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
