import type { Resource } from '../../model/calendar.ts';
import type { CommandAction } from '../session.ts';
import { forEach } from './batch.ts';
import { idInTrash, namesOf } from './names.ts';
import { describe, printLines } from './write.ts';

/** `restore`: takes records out of the trash. The API does not tell which status they had: they get the one that is asked for, else `publish`. */
export const restore =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const collection = (await session.connect('write')).calendar[resource.name];
    const found: { name: string; id: number }[] = [];
    for (const name of names) found.push({ name, id: await idInTrash(name, resource, collection) });
    const results = forEach(
      session,
      found,
      ({ name }) => name,
      options,
      ({ id }) => collection.update({ id }, { status: String(options.status ?? 'publish') }),
    );
    return printLines(session, options, resource, results, names.length === 1, async (entry) => {
      return `restored ${await describe({ name: '', before: entry }, resource)}, status ${entry.status}`;
    });
  };
