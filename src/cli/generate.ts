import { type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../model/error.ts';
import { addMonths, type DateTime, isZone, readDate, startOfDay, wallOf } from '../model/time.ts';
import { openFile } from './connect.ts';
import type { Made } from './data/making.ts';
import { Tally } from './data/tally.ts';
import { together } from './data/transaction.ts';
import { progressOf } from './progress.ts';
import type { Session, Shell } from './shell.ts';

interface GenerateOptions {
  events: number;
  venues?: number;
  organizers?: number;
  categories?: number;
  tags?: number;
  rngSeed: string;
  from?: string;
  until?: string;
  zones?: string[];
  dryRun?: boolean;
  json?: boolean;
}

/** `calendar generate`: made-up records, the same ones for the same seed, marked so that they can be taken away again. */
export function build(command: Command, shell: Shell): void {
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
    .action(shell.action((session, _args, options) => generate(session, options as unknown as GenerateOptions)));
}

function count(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

function zones(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) if (!isZone(name)) throw new InvalidArgumentError(`${JSON.stringify(name)} is not a time zone.`);
  return names;
}

async function generate(session: Session, options: GenerateOptions): Promise<undefined> {
  const { making } = await import('./data/making.ts');
  const store = await openFile(session.globals, session.terminal, 'write');
  const tally = new Tally(Boolean(options.json));
  const made: Made = {
    events: options.events,
    venues: options.venues ?? Math.min(50, Math.ceil(options.events / 10)),
    organizers: options.organizers ?? Math.min(50, Math.ceil(options.events / 10)),
    categories: options.categories ?? (options.events ? 16 : 0),
    tags: options.tags ?? (options.events ? 16 : 0),
  };
  const progress = progressOf(
    session.terminal,
    'generating',
    Object.values(made).reduce((sum, each) => sum + each, 0),
  );
  try {
    const { now, zone } = store.asking();
    const range = rangeOf(options, now, zone);
    await together(store, Boolean(options.dryRun), (desk) =>
      making(desk, made, { ...range, zones: options.zones ?? [], zone, seed: options.rngSeed }, tally, progress.at),
    );
    progress.end();
    await tally.tell(session, 'generated', options);
  } finally {
    progress.end();
    await store.close();
  }
}

function rangeOf(options: GenerateOptions, now: number, zone: string): { from: DateTime; until: DateTime } {
  const dated = (text: string, name: string) => {
    const read = readDate(text, now, zone);
    if (!read)
      throw new Failure(
        'bad-request',
        `--${name} is not a date that can be read: ${JSON.stringify(text)}`,
        {},
        'Write it like 2027-03-01, today or +3 months.',
      );
    return startOfDay(read.wall);
  };
  const from = options.from === undefined ? startOfDay(wallOf(now, zone)) : dated(options.from, 'from');
  const until = options.until === undefined ? addMonths(from, 6) : dated(options.until, 'until');
  if (until < from) throw new Failure('bad-request', `--until ${until} is before --from ${from}`);
  return { from, until };
}
