import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Program } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { served } from './served.ts';
import { limit } from './timeouts.ts';
import { folder, run } from './transcript.ts';

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));

/** Every control and bidirectional character, and sequences that write to the clipboard, clear the screen, set the title, make a link and hide text. */
export const attacks: readonly string[] = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...[
    '\u061c',
    '\u200e',
    '\u200f',
    '\x1b]52;c;cm0=\x07',
    '\x1b[2J\x1b[H',
    '\x1b]0;t\x1b\\',
    '\x9d8;;x\x9c',
    '\x1b[8m',
    '\x1b[31m',
    '\x1b[0;0H',
  ],
];

const forbidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// With NO_COLOR, the program itself writes what erases the line of progress.
const ownSequences = /\r\x1b\[K/g;

/** The part of an output that would reach a terminal as it is. */
export function leakIn(output: string): string | undefined {
  const text = output.replace(ownSequences, '');
  const found = forbidden.exec(text);
  return found ? JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 20)) : undefined;
}

// Values that the client reads; the rest may be any text.
const readValues = /^(?:https?:|[\d: -]+$|publish$|Europe)/;
const readMembers = ['slug', 'taxonomy', 'timezone'];

/** Adds the attack to every text of a value, and members with it as their name to every object. */
function attacked(value: unknown, attack: string): unknown {
  if (typeof value === 'string') return readValues.test(value) ? value : value + attack;
  if (Array.isArray(value)) return value.map((each) => attacked(each, attack));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, readMembers.includes(name) ? each : attacked(each, attack)]);
  return Object.fromEntries([...members, [attack, attack], [`x-${attack}`, { [attack]: attack }]]);
}

export interface Leaf {
  path: string[];
  command: Command;
}
const leavesOf = (command: Command, path: string[]): Leaf[] => {
  const below = command.commands.filter((each) => each.name() !== 'help');
  return below.length ? below.flatMap((each) => leavesOf(each, [...path, each.name()])) : [{ path, command }];
};

/** Every command that ends without a signal, with its arguments and options. */
export async function allCommands(): Promise<Leaf[]> {
  const tree = new Program({ env: {}, stdout: {}, stderr: {} } as unknown as Terminal, []);
  for (const command of tree.root.commands) await tree.load(command);
  return tree.root.commands
    .flatMap((command) => leavesOf(command, [command.name()]))
    .filter(({ path }) => !['ui', 'serve'].includes(path[0]!));
}

/**
 * A site whose responses contain a text in each value and name of their bodies, and in headers as far as HTTP allows; and a folder with a file of the same,
 * whose name contains it, and with a copy of the site.
 */
export async function hostileSite(text: string) {
  const place = folder();
  const calendar = await served();
  await seed(calendar.store, await seedNamed('minimal'), 'append');
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    // `fetch` adds the length of the body itself, and a second one is an invalid header.
    const { host, connection, 'content-length': _, ...headers } = request.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length ? Buffer.concat(chunks) : undefined;
    const { method, url } = request;
    const answer = await fetch(calendar.url + url, { method, headers: headers as Record<string, string>, body, redirect: 'manual' });
    const found = (await answer.text()).replaceAll(calendar.url, `http://${host}`);
    const latin = range(0x80, 0x9f).join('');
    const kept = [...answer.headers].filter(([name]) => !/^(content-length|content-encoding|transfer-encoding|etag)$/.test(name));
    response.writeHead(answer.status, `OK${latin}`, { ...Object.fromEntries(kept), 'X-Calendar-Hint': latin, Deprecation: latin });
    const isJson = answer.headers.get('content-type')?.includes('json') && found !== '';
    response.end(isJson ? JSON.stringify(attacked(JSON.parse(found), text)) : found + text);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch((error: Error) => {
      // A command that is interrupted leaves in the middle of its request.
      if (!request.destroyed || request.complete) throw error;
      response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar/events/v1`;
  const fileName = `${text.replace(/[\0/]/g, '')}.json`;
  const site = {
    url,
    /** An argument for each thing that one can be. */
    arguments: [text, '8', fileName],
    /** Runs a command on a terminal: on the site, or on the copy. */
    run: (args: readonly string[], on: 'site' | 'copy') =>
      run(args, {
        cwd: place.path,
        columns: 100,
        interrupted: AbortSignal.timeout(limit(10_000)),
        env: { NO_COLOR: '1', ...(on === 'site' ? { CALENDAR_URL: url } : { CALENDAR_DB: 'copy.db' }) },
        stdin: text,
      }),
    async close() {
      server.closeAllConnections();
      server.close();
      await calendar.close();
      place.remove();
    },
  };
  const events = await (await fetch(`${calendar.url}/calendar/events/v1/events`)).json();
  writeFileSync(join(place.path, fileName), JSON.stringify(attacked(events, text)));
  await site.run(['pull', url, '--yes'], 'copy');
  await site.run(['settings', 'set', 'title', text], 'copy');
  return site;
}
