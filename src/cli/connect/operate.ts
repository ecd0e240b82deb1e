import type { OnProgress } from '../../data/summary.ts';
import type { CalendarControl, OperationInput, OperationName, OperationOutput } from '../../model/operations/all.ts';
import type { DryRun } from '../../model/operations/summary.ts';
import type { Session } from '../session.ts';
import { type ControlMode, connectControl } from './control.ts';

/** Calls an operation: on the server that owns the file, on the given server, or in this process. */
export async function operate<Name extends OperationName>(
  session: Session,
  mode: ControlMode,
  name: Name,
  ...[input, onProgress]: undefined extends Parameters<CalendarControl[Name]>[0]
    ? [input?: OperationInput<Name>, onProgress?: OnProgress]
    : [input: OperationInput<Name>, onProgress?: OnProgress]
): Promise<OperationOutput<Name>> {
  const isDry = mode === 'write' && (input as DryRun | undefined)?.dry_run === true;
  const { control, place, close } = await connectControl(session.globals, session.terminal, isDry ? 'dry' : mode, onProgress);
  try {
    await session.note(`calendar: ${place}`);
    const method = control[name] as (input: unknown) => Promise<unknown>;
    return (await method(input)) as OperationOutput<Name>;
  } finally {
    await close();
  }
}
