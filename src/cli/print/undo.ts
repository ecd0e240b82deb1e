import type { Globals } from '../global-options.ts';
import type { Session } from '../session.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** Prints how to undo a bulk change to stderr, or without a snapshot that the calendar has no undo. */
export async function tellUndo(session: Session, snapshot: string | undefined): Promise<void> {
  await session.tell(
    snapshot === undefined
      ? 'calendar: This calendar has no undo.'
      : `calendar: Saved snapshot ${snapshot}. Undo with: calendar undo${selectionOf(session.globals)}`,
  );
}

/** Prints how to restore the state before an undo. */
export const tellRedo = (session: Session, snapshot: string): Promise<void> =>
  session.tell(`calendar: Saved snapshot ${snapshot}. Redo with: calendar snapshot restore ${snapshot}${selectionOf(session.globals)}`);

/** Returns the options that select the same calendar again, as a shell reads them. */
function selectionOf({ db, url, world, profile, user }: Globals): string {
  const options = Object.entries({ db, url, world, profile, user }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return options.map(([name, value]) => ` --${name} ${shellWord(value)}`).join('');
}
