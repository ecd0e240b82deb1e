import type { Session } from '../session.ts';
import { operate } from './operate.ts';
import { targetOf } from './target.ts';

/** Returns whether `calendar undo` can restore the selected calendar after all of its records were deleted. A calendar in memory has no snapshots of such changes. */
export async function canUndo(session: Session): Promise<boolean> {
  const target = await targetOf(session.globals, session.terminal);
  if (target.kind === 'file') return target.file !== ':memory:';
  try {
    return (await operate(session, 'read', 'health')).file !== null;
  } catch {
    // The command itself reports why the server can't be reached.
    return false;
  }
}
