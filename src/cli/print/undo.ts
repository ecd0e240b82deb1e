import type { Session } from '../session.ts';

/** Says on stderr how to bring back what there was before. */
export async function tellUndo(session: Session, snapshot: string | undefined): Promise<void> {
  if (snapshot !== undefined) await session.tell(`calendar: what was there before is kept: calendar snapshot restore ${snapshot}`);
}
