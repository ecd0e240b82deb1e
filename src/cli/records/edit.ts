import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../../data/json-position.ts';
import { temporaryFolder } from '../../data/temporary.ts';
import type { Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { isDeepEqual } from '../../model/fields/coerce.ts';
import { failureOf } from '../failure-message.ts';
import type { CommandAction } from '../session.ts';
import { isAttended } from '../terminal/prompt.ts';
import { Interrupted } from '../terminal/terminal.ts';
import { Inputs } from './arguments.ts';
import { checkOutput } from './check-output.ts';
import { checkFields } from './input.ts';
import { forEach, targetsOf } from './targets.ts';
import { editable, printResults } from './write.ts';

/** `edit`: opens a record as JSON in the user's editor and sends the fields that changed. If the update fails, or a signal ends the editor after a change, the file is kept and its path is printed. */
export const edit =
  (resource: Resource): CommandAction =>
  async (session, [word], options) => {
    const { env } = session.terminal;
    if (!isAttended(session.terminal) && !env.VISUAL && !env.EDITOR)
      throw new Failure('bad-request', 'No terminal for the editor', `Set VISUAL or EDITOR, or use calendar ${resource.name} update.`);
    // The database is not locked while the editor is open.
    const reading = await session.connect('read');
    await checkOutput(options, resource, reading);
    const [target] = await targetsOf([String(word)], resource, reading.calendar[resource.name]);
    if (!target?.before) throw new Failure('rest_forbidden', `You cannot read ${resource.kind} ${word}`);
    const { ref, before } = target;
    const original = editable(resource, before);
    const folder = await temporaryFolder('edit');
    const name = `${resource.kind}-${before.id}.json`;
    const file = join(folder.path, name);
    const initial = `${JSON.stringify(original, null, 2)}\n`;
    /** Keeps the file, and returns how to go on with it. */
    const keep = async () => {
      const path = join(await folder.keep(), name);
      return `Your changes are in ${path}. Retry with: calendar ${resource.name} update ${before.id} --data @${path}`;
    };
    try {
      await writeFile(file, initial, { mode: 0o600 });
      await (await import('../terminal/programs.ts')).openInEditor(file, session.terminal);
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
        const again = await keep();
        throw failure.with({ hint: failure.hint ? `${failure.hint} ${again}` : again });
      }
    } catch (error) {
      if (error instanceof Interrupted && (await readFile(file, 'utf8')) !== initial) await session.tell(`calendar: ${await keep()}`);
      throw error;
    } finally {
      await folder.remove();
    }
  };

/** The fields that differ. Fields that were removed stay. An unchanged end is sent with a new start, so that it doesn't move with it. */
function changesIn(initial: Input, text: string, resource: Resource): Input {
  const edited = parseObject(text);
  checkFields(edited, resource);
  const changes = Object.fromEntries(Object.entries(edited).filter(([name, value]) => !isDeepEqual(value, initial[name])));
  if ('start_date' in changes && edited.end_date !== undefined && edited.duration === undefined) changes.end_date = edited.end_date;
  return changes;
}

function parseObject(text: string): Input {
  const value = parseJson(text, 'The edited text');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw new Failure('bad-request', 'The edited text is not a JSON object');
}
