import type { SourceContext } from '../../data/import/source.ts';
import type { Session } from '../session.ts';

/** Where the arguments of a command find files, standard input and downloads. */
export const sourceContext = ({ terminal, globals }: Session): SourceContext => ({
  cwd: terminal.cwd,
  stdin: terminal.stdin as AsyncIterable<Uint8Array>,
  signal: terminal.interrupted,
  timeout: (globals.timeout ?? 30) * 1000,
});
