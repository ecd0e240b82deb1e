import type { Resource } from '../../model/calendar.ts';
import { tellUndo } from '../print/undo.ts';
import type { CommandAction } from '../session.ts';
import { forEach } from './batch.ts';
import { checkOutput } from './check-output.ts';
import { idInTrash, namesOf } from './names.ts';
import { trashedRecord } from './targets.ts';
import { describe, printLines } from './write.ts';

/** `restore`: restores records from the trash, as published ones by default. The API doesn't return their former status. */
export const restore =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const dry = Boolean(options.dryRun);
    const connection = await session.connect(dry ? 'read' : 'write');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const trashed: { name: string; id: number }[] = [];
    for (const name of names) trashed.push({ name, id: await idInTrash(name, resource, collection) });
    const status = String(options.status ?? 'publish');
    const snapshot = !dry && trashed.length > 1 ? await connection.keep('restore') : undefined;
    const results = forEach(
      session,
      trashed,
      ({ name }) => name,
      options,
      async ({ id, name }) =>
        dry ? { ...((await trashedRecord({ id }, collection)) ?? { id, slug: name }), status } : collection.update({ id }, { status }),
    );
    const verb = dry ? 'Would restore' : 'Restored';
    const exit = await printLines(session, options, resource, results, names.length === 1, async (entry) => {
      return `${verb} ${await describe({ name: '', before: entry }, resource)} with status ${entry.status}`;
    });
    if (!dry && trashed.length > 1) await tellUndo(session, snapshot);
    return exit;
  };
