import type { SourceContext } from '../../data/ingest/source.ts';
import { documentNamed, isSeed } from '../../data/seeds.ts';
import type { SeedInput } from '../../model/operations/data.ts';
import type { Session } from '../session.ts';
import { announceInput } from '../terminal/prompt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { timeoutOf } from './file.ts';

/** Reads standard input, with a notice on a terminal. */
async function* readStdin(terminal: Terminal): AsyncIterable<Uint8Array> {
  await announceInput(terminal, 'data');
  yield* terminal.stdin as AsyncIterable<Uint8Array>;
}

/** Returns how file arguments, standard input and URLs are read. */
export const sourceContext = ({ terminal, globals }: Session, headers?: Record<string, string>): SourceContext => ({
  headers,
  cwd: terminal.cwd,
  stdin: readStdin(terminal),
  signal: terminal.interrupted,
  timeout: timeoutOf(globals),
});

/** Returns the input of the seed operation: a name, or a fixture from a path, URL or stdin. */
export async function seedInput(name: string, session: Session): Promise<SeedInput> {
  if (isSeed(name)) return { seed: name };
  const { document } = await documentNamed(name, sourceContext(session));
  return { seed: document as object, name };
}
