import type { SourceContext } from '../../data/ingest/source.ts';
import { documentNamed, isSeed } from '../../data/seeds.ts';
import type { SeedInput } from '../../model/operations/data.ts';
import type { Session } from '../session.ts';
import { tellWaiting } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Standard input; somebody who has to type it is told so. */
async function* typed(terminal: Terminal): AsyncIterable<Uint8Array> {
  await tellWaiting(terminal, 'data');
  yield* terminal.stdin as AsyncIterable<Uint8Array>;
}

/** Where the arguments of a command find files, standard input and downloads. */
export const sourceContext = ({ terminal, globals }: Session): SourceContext => ({
  cwd: terminal.cwd,
  stdin: typed(terminal),
  signal: terminal.interrupted,
  timeout: (globals.timeout ?? 30) * 1000,
});

/** A seed as operations take it: by its name, or the whole fixture that a path, an address or stdin gives. */
export async function seedInput(name: string, session: Session): Promise<SeedInput> {
  if (isSeed(name)) return { seed: name };
  const { document } = await documentNamed(name, sourceContext(session));
  return { seed: document as object, name };
}
