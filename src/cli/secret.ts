import { Interrupted, type Terminal } from './terminal.ts';

/** Asks a person for a text that nobody sees them type. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  const { stdin, stderr } = terminal;
  stderr.write(question);
  stdin.setRawMode?.(true);
  let typed = '';
  try {
    for await (const chunk of stdin) {
      for (const key of String(chunk)) {
        if (key === '\r' || key === '\n') return typed;
        if (key === '\x03') throw new Interrupted('SIGINT');
        typed = key === '\x7f' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    stderr.write('\n');
  }
}
