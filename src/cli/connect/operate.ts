import type { OnProgress } from '../../data/summary.ts';
import type { CalendarControl, OperationAnswer, OperationInput, OperationName } from '../../model/operations/control.ts';
import type { Session } from '../session.ts';
import { type ControlMode, connectControl } from './control.ts';

/** Has whoever holds the calendar carry out an operation on it: the server that owns the file, the server that is named, or else this process. */
export async function operate<Name extends OperationName>(
  session: Session,
  mode: ControlMode,
  name: Name,
  ...[input, onProgress]: undefined extends OperationInput<Name>
    ? [input?: OperationInput<Name>, onProgress?: OnProgress]
    : [input: OperationInput<Name>, onProgress?: OnProgress]
): Promise<OperationAnswer<Name>> {
  const { control, place, close } = await connectControl(session.globals, session.terminal, mode, onProgress);
  try {
    await session.note(`calendar: ${place}`);
    const perform = control[name] as (input: unknown) => ReturnType<CalendarControl[Name]>;
    return (await perform(input)) as OperationAnswer<Name>;
  } finally {
    await close();
  }
}
