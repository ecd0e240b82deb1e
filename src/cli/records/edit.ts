import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { failureOf } from '../failure-message.ts';
import type { CommandAction } from '../session.ts';
import { openInEditor } from '../terminal/editor.ts';
import { isAttended } from '../terminal/prompt.ts';
import { forEach } from './batch.ts';
import { editable } from './editable.ts';
import { checkNames } from './input.ts';
import { Inputs } from './meaning.ts';
import { targetsOf } from './targets.ts';
import { printResults } from './write.ts';

/**
 * `edit`: a record as JSON in the editor of whoever runs it; what was changed there is sent, and nothing else. A text that is refused stays in its
 * file, whose path is said.
 */
export const edit =
  (resource: Resource): CommandAction =>
  async (session, [name], options) => {
    const { env } = session.terminal;
    if (!isAttended(session.terminal) && !env.VISUAL && !env.EDITOR)
      throw new Failure(
        'bad-request',
        'no terminal to edit on',
        {},
        `Name an editor in VISUAL or EDITOR, or use calendar ${resource.name} update.`,
      );
    // A file is not held while somebody writes.
    const reading = await session.connect('read');
    const [target] = await targetsOf([String(name)], resource, reading.calendar[resource.name]);
    if (!target?.before) throw new Failure('rest_forbidden', `${resource.kind} ${name} cannot be read`);
    const { ref, before } = target;
    const shown = editable(resource, before);
    const folder = await mkdtemp(join(tmpdir(), 'calendar-edit-'));
    const file = join(folder, `${resource.kind}-${before.id}.json`);
    let isKept = false;
    try {
      await writeFile(file, `${JSON.stringify(shown, null, 2)}\n`, { mode: 0o600 });
      await openInEditor(file, env);
      const written = await readFile(file, 'utf8');
      try {
        const changes = changesIn(shown, written, resource);
        if (!Object.keys(changes).length) {
          await session.tell('nothing was changed');
          return 0;
        }
        const connection = await session.connect('write');
        const meant = await new Inputs(resource, connection).meant(changes, before);
        const updated = await connection.calendar[resource.name].update(ref, meant);
        return await printResults(
          session,
          options,
          resource,
          forEach(session, [updated], String, options, async (entry) => entry),
          true,
        );
      } catch (error) {
        const { code, message, data, hint, status } = failureOf(error);
        isKept = true;
        const again = `What you wrote is in ${file}; calendar ${resource.name} update ${before.id} --data @${file} sends it.`;
        throw new Failure(code, message, data, hint ? `${hint} ${again}` : again, status);
      }
    } finally {
      if (!isKept) await rm(folder, { recursive: true, force: true });
    }
  };

/** What differs from what was shown; what was left out stays. An end that was not touched stays where it is when the start moves: both were in sight. */
function changesIn(shown: Input, text: string, resource: Resource): Input {
  const written = parsed(text);
  checkNames(written, resource);
  const changes = Object.fromEntries(Object.entries(written).filter(([name, value]) => !isDeepStrictEqual(value, shown[name])));
  if ('start_date' in changes && written.end_date !== undefined && written.duration === undefined) changes.end_date = written.end_date;
  return changes;
}

function parsed(text: string): Input {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('rest_invalid_json', `what was written is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  throw new Failure('bad-request', 'what was written is not a JSON object');
}
