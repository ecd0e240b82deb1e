import type { CalendarControl, OperationName } from '../../model/operations/control.ts';

/** What keeps the state of a whole calendar, or brings another. */
const wholeState = [
  'reset',
  'undo',
  'saveSnapshot',
  'keepSnapshot',
  'restoreSnapshot',
  'deleteSnapshot',
  'seed',
  'generate',
  'import',
  'shift',
  'pull',
] as const satisfies readonly OperationName[];

/**
 * The same control, in which of the operations on the whole state one begins when the one before has ended, so that what an operation keeps for the next
 * undo is what it found, and a name is free or taken for all alike.
 */
export function inTurn(control: CalendarControl): CalendarControl {
  let last: Promise<unknown> = Promise.resolve();
  const waiting = wholeState.map((name) => {
    const perform = control[name] as (input: unknown) => Promise<unknown>;
    const inItsTurn = (input: unknown) => {
      const done = last.then(() => perform(input));
      last = done.catch(() => {});
      return done;
    };
    return [name, inItsTurn];
  });
  return { ...control, ...Object.fromEntries(waiting) };
}
