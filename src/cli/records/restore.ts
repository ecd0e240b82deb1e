import type { Resource } from '../../model/calendar.ts';
import type { CommandAction } from '../session.ts';
import { forEach } from './batch.ts';
import { idInTrash, namesOf } from './names.ts';
import { describe, printLines } from './write.ts';

/** `restore`: restores records from the trash, as published ones by default. The API doesn't return their former status. */
export const restore =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const collection = (await session.connect('write')).calendar[resource.name];
    const trashed: { name: string; id: number }[] = [];
    for (const name of names) trashed.push({ name, id: await idInTrash(name, resource, collection) });
    const results = forEach(
      session,
      trashed,
      ({ name }) => name,
      options,
      ({ id }) => collection.update({ id }, { status: String(options.status ?? 'publish') }),
    );
    return printLines(session, options, resource, results, names.length === 1, async (entry) => {
      return `Restored ${await describe({ name: '', before: entry }, resource)} with status ${entry.status}`;
    });
  };
