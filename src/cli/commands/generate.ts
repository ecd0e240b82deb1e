import { type Command, InvalidArgumentError, Option } from 'commander';
import { resourceNames } from '../../model/calendar.ts';
import { zoneHint } from '../../model/did-you-mean.ts';
import { isZone } from '../../model/time/zone.ts';
import { operate } from '../connect/operate.ts';
import { readTyped } from '../days/locale.ts';
import { timezoneOption } from '../global-options.ts';
import { dryOf, printDone, printProblems, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface GenerateOptions extends SummaryOptions {
  events: number;
  venues?: number;
  organizers?: number;
  categories?: number;
  tags?: number;
  rngSeed: string;
  from?: string;
  until?: string;
  zones?: string[];
}

/** `calendar generate`: random but reproducible records, which `reset --generated` deletes. */
export function build(command: Command, runner: Runner): void {
  const number = (name: string, about: string) => new Option(`--${name} <n>`, about).argParser(parseCount);
  command
    .addOption(number('events', 'Number of events').default(100))
    .addOption(number('venues', 'Number of venues (default: a tenth of the events, at most 50)'))
    .addOption(number('organizers', 'Number of organizers (default: the number of venues)'))
    .addOption(number('categories', 'Number of categories (default 16)'))
    .addOption(number('tags', 'Number of tags (default 16)'))
    .option('--rng-seed <text>', 'Seed of the random number generator', '1')
    .option('--from <date>', 'First day of events (default today)')
    .option('--until <date>', 'Last day of events (default six months later)')
    .option('--zones <zones>', 'Comma-separated time zones of venues', parseZones)
    .addOption(timezoneOption())
    .option('--dry-run', 'Show what would be created')
    .option('--json', 'Output JSON with every record')
    .action(runner.action((session, _args, options) => generateCommand(session, options as unknown as GenerateOptions)));
}

function parseCount(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Expected a whole number up to 9999999.');
  return Number(text);
}

function parseZones(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names)
    if (!isZone(name)) throw new InvalidArgumentError(`Unknown time zone ${JSON.stringify(name)}. ${zoneHint(name) ?? ''}`.trimEnd());
  return names;
}

async function generateCommand(session: Session, options: GenerateOptions): Promise<undefined> {
  const { zones, rngSeed } = options;
  const [from, until] = [readTyped('from', options.from), readTyped('until', options.until)];
  const counts = Object.fromEntries(resourceNames.map((name) => [name, options[name]]));
  const input = { ...dryOf(options), ...counts, from, until, zones, rng_seed: rngSeed };
  const done = await withProgress(session, 'generating', options, (onProgress) => operate(session, 'write', 'generate', input, onProgress));
  if (!options.json) await printProblems(session, done.notes);
  await printDone(session, 'Generated', done, options);
}
