import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { failureOf } from '../failure-message.ts';
import type { CommandAction } from '../session.ts';
import { isAttended } from '../terminal/prompt.ts';
import { Inputs } from './arguments.ts';
import { forEach } from './batch.ts';
import { checkOutput } from './check-output.ts';
import { editable } from './editable.ts';
import { checkNames } from './input.ts';
import { targetsOf } from './targets.ts';
import { printResults } from './write.ts';

/** `edit`: opens a record as JSON in the user's editor and sends the fields that changed. If the update fails, the file is kept and its path is printed. */
export const edit =
  (resource: Resource): CommandAction =>
  async (session, [name], options) => {
    const { env } = session.terminal;
    if (!isAttended(session.terminal) && !env.VISUAL && !env.EDITOR)
      throw new Failure('bad-request', 'No terminal for the editor', `Set VISUAL or EDITOR, or use calendar ${resource.name} update.`);
    // The database is not locked while the editor is open.
    const reading = await session.connect('read');
    await checkOutput(options, resource, reading);
    const [target] = await targetsOf([String(name)], resource, reading.calendar[resource.name]);
    if (!target?.before) throw new Failure('rest_forbidden', `You cannot read ${resource.kind} ${name}`);
    const { ref, before } = target;
    const original = editable(resource, before);
    const folder = await mkdtemp(join(tmpdir(), 'calendar-edit-'));
    const file = join(folder, `${resource.kind}-${before.id}.json`);
    let isKept = false;
    try {
      await writeFile(file, `${JSON.stringify(original, null, 2)}\n`, { mode: 0o600 });
      await (await import('../terminal/editor.ts')).openInEditor(file, env);
      const text = await readFile(file, 'utf8');
      try {
        const changes = changesIn(original, text, resource);
        if (!Object.keys(changes).length) {
          await session.tell('No changes');
          return 0;
        }
        const connection = await session.connect('write');
        const input = await new Inputs(resource, connection).resolve(changes, before);
        const updated = await connection.calendar[resource.name].update(ref, input);
        return await printResults(
          session,
          options,
          resource,
          forEach(session, [updated], String, options, async (entry) => entry),
          true,
        );
      } catch (error) {
        const failure = failureOf(error);
        isKept = true;
        const again = `Your changes are in ${file}. Retry with: calendar ${resource.name} update ${before.id} --data @${file}`;
        throw failure.with({ hint: failure.hint ? `${failure.hint} ${again}` : again });
      }
    } finally {
      if (!isKept) await rm(folder, { recursive: true, force: true });
    }
  };

/** Returns the fields that differ. Fields that were removed stay. An unchanged end is sent with a new start, so that it doesn't move with it. */
function changesIn(initial: Input, text: string, resource: Resource): Input {
  const edited = parseObject(text);
  checkNames(edited, resource);
  const changes = Object.fromEntries(Object.entries(edited).filter(([name, value]) => !isDeepStrictEqual(value, initial[name])));
  if ('start_date' in changes && edited.end_date !== undefined && edited.duration === undefined) changes.end_date = edited.end_date;
  return changes;
}

function parseObject(text: string): Input {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('rest_invalid_json', `Invalid JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw new Failure('bad-request', 'The edited text is not a JSON object');
}
