import type { Session } from '../session.ts';

/** Prints how to undo a bulk change to stderr. */
export async function tellUndo(session: Session, snapshot: string | undefined): Promise<void> {
  if (snapshot !== undefined) await session.tell(`calendar: Saved snapshot ${snapshot}. Undo with: calendar undo`);
}
