import type { OpenSource } from '../../data/ingest/source.ts';
import { documentNamed } from '../../data/seeds.ts';
import type { OnProgress } from '../../data/summary.ts';
import type { SeedInput } from '../../model/operation-types.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/all.ts';
import { isSeed } from '../../model/operations/formats.ts';
import type { DryRun } from '../../model/operations/summary.ts';
import type { Session } from '../session.ts';
import { announceInput } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { connectControl, type RunOperation } from './connect.ts';
import type { AccessMode } from './file.ts';
import { targetOf } from './target.ts';
import { transportOptions } from './transport.ts';

/** Opens the selected calendar for the operations of `work`. */
export async function whileConnected<T>(session: Session, mode: AccessMode, work: (control: RunOperation) => Promise<T>): Promise<T> {
  const { control, place, close } = await connectControl(session.globals, session.terminal, mode);
  try {
    await session.note(`calendar: ${place}`);
    return await work(control);
  } finally {
    await close();
  }
}

/** Calls an operation of the selected calendar. */
export function operate<Name extends OperationName>(
  session: Session,
  mode: AccessMode,
  name: Name,
  input: OperationInput<Name>,
  onProgress?: OnProgress,
): Promise<OperationOutput<Name>> {
  const isDry = mode === 'write' && (input as DryRun).dry_run === true;
  return whileConnected(session, isDry ? 'dry' : mode, (control) => control(name, input, onProgress));
}

/** True if `calendar undo` can restore the selected calendar after all of its records were deleted. A calendar in memory has no snapshots of such changes. */
export async function canUndo(session: Session): Promise<boolean> {
  const target = await targetOf(session.globals, session.terminal);
  if (target.kind === 'file') return target.file !== ':memory:';
  try {
    return (await operate(session, 'read', 'health', {})).file !== null;
  } catch {
    // The command itself reports why the server can't be reached.
    return false;
  }
}

/** Reads standard input, with a notice on a terminal. */
async function* readStdin(terminal: Terminal): AsyncIterable<Uint8Array> {
  await announceInput(terminal, 'data');
  yield* terminal.stdin as AsyncIterable<Uint8Array>;
}

/** Opens files, standard input and URLs. */
export const opensFor =
  ({ terminal, globals }: Session, headers?: Record<string, string>): OpenSource =>
  async (name) => {
    const { openSource } = await import('../../data/ingest/opened-source.ts');
    const transport = transportOptions(globals, terminal, headers);
    return openSource(name, { cwd: terminal.cwd, stdin: readStdin(terminal), transport });
  };

/** The input of the seed operation: a name, or the content of a path, URL or stdin. */
export async function seedInput(name: string, session: Session): Promise<SeedInput> {
  if (isSeed(name)) return { seed: name };
  const { document } = await documentNamed(name, opensFor(session));
  return { seed: document as object, name };
}
