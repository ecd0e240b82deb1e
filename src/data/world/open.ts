import { extensions } from '../../model/context.ts';
import { FaultList } from '../../server/faults/fault-list.ts';
import { Journal } from '../../server/journal/journal.ts';
import { MessageLog } from '../../server/journal/message-log.ts';
import { openCalendar, type Store } from '../../store/calendar.ts';
import { SettableClock } from './clock.ts';
import type { WorldOptions } from './options.ts';
import { World } from './world.ts';

/** Opens a world that a server can serve. Throws a Failure if the file cannot be opened. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { basePath, namespace, system } = options;
  const clock = new SettableClock(system, options.now);
  const faults = new FaultList(options, options.faults);
  const journal = new Journal({ basePath, namespace, size: options.journal, budget: options.journalBudget, system, now: clock.now });
  const messages = new MessageLog();
  return new World(await openStore(options, clock.now), { clock, faults, journal, messages });
}

/** Opens the store of a world. */
export function openStore(options: WorldOptions, now: () => number): Promise<Store> {
  const { file = ':memory:', image, durability, timeout, settings, snapshotMemory, without, notice, readOnly } = options;
  return openCalendar(file, {
    mode: readOnly && file !== ':memory:' ? 'read' : 'write',
    image,
    now,
    durability,
    timeout,
    settings,
    snapshotMemory,
    notice,
    extensions: extensions.filter((part) => !without?.includes(part)),
  });
}
