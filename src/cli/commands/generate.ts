import { type Command, InvalidArgumentError, Option } from 'commander';
import { resourceNames } from '../../model/calendar.ts';
import { isZone } from '../../model/time/zone.ts';
import { operate } from '../connect/operate.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
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

/** `calendar generate`: made-up records, the same ones for the same seed, marked so that they can be taken away again. */
export function build(command: Command, runner: Runner): void {
  const number = (name: string, about: string) => new Option(`--${name} <n>`, about).argParser(count);
  command
    .addOption(number('events', 'how many events').default(100))
    .addOption(number('venues', 'how many venues (a tenth of the events, 50 at the most)'))
    .addOption(number('organizers', 'how many organizers (as many as venues)'))
    .addOption(number('categories', 'how many categories (16)'))
    .addOption(number('tags', 'how many tags (16)'))
    .addOption(new Option('--rng-seed <text>', 'another seed makes other records').default('1'))
    .addOption(new Option('--from <date>', 'the first day of events (today)'))
    .addOption(new Option('--until <date>', 'the last day of events (six months later)'))
    .addOption(new Option('--zones <zones>', 'zones that venues are in, with commas').argParser(zones))
    .addOption(new Option('--dry-run', 'write nothing'))
    .addOption(new Option('--json', 'list what was made, as JSON'))
    .action(runner.action((session, _args, options) => generateCommand(session, options as unknown as GenerateOptions)));
}

function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It takes a whole number up to 9999999.');
  return Number(text);
}

function zones(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) if (!isZone(name)) throw new InvalidArgumentError(`${JSON.stringify(name)} is not a time zone.`);
  return names;
}

async function generateCommand(session: Session, options: GenerateOptions): Promise<undefined> {
  const { from, until, zones, rngSeed } = options;
  const counts = Object.fromEntries(resourceNames.map((name) => [name, options[name]]));
  const input = { ...dryOf(options), ...counts, from, until, zones, rng_seed: rngSeed };
  const done = await withProgress(session, 'generating', options, (onProgress) => operate(session, 'write', 'generate', input, onProgress));
  await printDone(session, 'generated', done, options);
}
