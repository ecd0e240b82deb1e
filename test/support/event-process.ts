/* A person who makes events on the command line, one command after the other: hands FILE PREFIX COUNT; says the IDs, and what was refused. */
import { Readable, Writable } from 'node:stream';
import '../../bin/machine/here.ts';
import { main } from '../../src/cli/main.ts';

const [file = '', prefix = '', count = '0'] = process.argv.slice(2);
const said: { ids: number[]; refused: string[] } = { ids: [], refused: [] };
for (let i = 0; i < Number(count); i += 1) {
  const texts = ['', ''];
  const [stdout, stderr] = texts.map(
    (_, at) =>
      new Writable({
        write(chunk, _encoding, done) {
          texts[at] += chunk;
          done();
        },
      }),
  ) as [Writable, Writable];
  const words = [
    'events',
    'create',
    '--title',
    `${prefix} ${i}`,
    '--start-date',
    'tomorrow',
    '--end-date',
    'tomorrow',
    '--db',
    file,
    '--quiet',
  ];
  const exit = await main(words, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { HOME: '/nowhere' },
    cwd: process.cwd(),
    now: Date.now,
    interrupted: new AbortController().signal,
  });
  if (exit === 0) said.ids.push(Number(texts[0]));
  // The first one reports that it created the file.
  if (exit !== 0 || !/^(?:calendar: Created .*\n)?$/.test(texts[1]!)) said.refused.push(`${exit} ${texts[1]}`);
}
process.stdout.write(JSON.stringify(said));
