import { type Command, InvalidArgumentError, Option } from 'commander';
import { addDuration, type Duration, readDuration } from '../model/duration.ts';
import { openFile } from './connect.ts';
import { labelOf } from './data/plant.ts';
import { Tally } from './data/tally.ts';
import { together } from './data/transaction.ts';
import { progressOf } from './progress.ts';
import type { Session, Shell } from './shell.ts';

interface ShiftOptions {
  by: Duration;
  generated?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** `calendar shift`: all events so much later or earlier, at the same time of day. */
export function build(command: Command, shell: Shell): void {
  command
    .addOption(new Option('--by <duration>', 'how far, like P7D, -P1M or PT90M (ISO 8601)').argParser(duration).makeOptionMandatory())
    .addOption(new Option('--generated', 'only what calendar generate made'))
    .addOption(new Option('--dry-run', 'say what would change, and change nothing'))
    .addOption(new Option('--json', 'list what was shifted, as JSON'))
    .action(shell.action((session, _args, options) => shift(session, options as unknown as ShiftOptions)));
}

function duration(text: string): Duration {
  const read = readDuration(text);
  if (!read) throw new InvalidArgumentError('It takes a duration like P7D, -P1M or PT90M.');
  return read;
}

async function shift(session: Session, options: ShiftOptions): Promise<undefined> {
  const store = await openFile(session.globals, session.terminal, 'write');
  const tally = new Tally(Boolean(options.json));
  const progress = progressOf(session.terminal, 'shifting');
  try {
    await together(store, Boolean(options.dryRun), (desk) => {
      for (const event of desk.sources('events')) {
        if (event.status === 'trash' || (options.generated && !event.generated)) continue;
        const moved = (name: 'start_date' | 'end_date') => addDuration(String(event[name]), options.by);
        desk.events.update({ id: event.id }, { start_date: moved('start_date'), end_date: moved('end_date') });
        tally.add('updated', 'events', labelOf('events', event), event.id);
        progress.at(tally.total);
      }
    });
    progress.end();
    await tally.tell(session, 'shift', options);
  } finally {
    progress.end();
    await store.close();
  }
}
