import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxResponseBytes } from '../../src/client/redirects.ts';
import { maxDownloadBytes } from '../../src/data/ingest/opened-source.ts';
import { defaultMaxUpload } from '../../src/model/images/image.ts';
import { defaultJournalSize, defaultBodyBytes as maxBodyBytes } from '../../src/model/operations/requests.ts';
import { maxListedRecords } from '../../src/model/paging.ts';
import { maxId } from '../../src/model/record.ts';
import { serverOptions } from '../../src/model/server-options.ts';
import { maxDataBytes } from '../../src/server/admit.ts';
import { maxTotalBytes } from '../../src/server/journal/journal.ts';
import { serverTimeouts } from '../../src/server/listen.ts';
import { maxBufferedBytes } from '../../src/server/listener.ts';
import { imported, memory } from '../support/calendars.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

let served: WholeServer;
beforeAll(async () => {
  served = await wholeServer();
});
afterAll(() => served.close());

const MiB = 1 << 20;
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const post = async (path: string, body: string, type = 'application/json') =>
  (await fetch(`${served.root}${path}`, { method: 'POST', body, headers: { 'content-type': type } })).status;
const values = (count: number) => Array.from({ length: count }, (_, at) => `x${at}=1`).join('&');
const form = 'application/x-www-form-urlencoded';
const nested = (depth: number) => `{"name":"n${depth}","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const linked = async (count: number) =>
  post('/events', JSON.stringify({ ...concert, tags: Array.from({ length: count }, (_, at) => `t${at}`) }));
const headOf = async (bytes: number) => (await served.call('GET', '/tags', undefined, { 'x-long': 'x'.repeat(bytes) })).status;
/** Imports a text; returns what is wrong with it. */
async function imports(format: 'ndjson' | 'csv' | 'ics', text: string): Promise<string> {
  const store = await memory();
  const problem = await imported(store, format, text).then(
    () => '',
    (error: Error & { data?: unknown }) => `${error.message} ${JSON.stringify(error.data)}`,
  );
  await store.close();
  return problem;
}
const line = (length: number) => JSON.stringify({ resource: 'tags', name: 'x', description: 'y'.repeat(length) });
const table = (columns: number) => {
  const ignored = Array.from({ length: columns - 3 }, () => 'title');
  return `${['title', 'start_date', 'end_date', ...ignored].join()}\n`;
};
const rule = (count: number) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:a', 'DTSTART:20270401T200000Z', `RRULE:FREQ=HOURLY;COUNT=${count}`]
    .concat('SUMMARY:x', 'END:VEVENT', 'END:VCALENDAR', '')
    .join('\r\n');

/** The limits of the document: what it says, and a check of what is just within and just beyond. */
const limits: [input: string, limit: string, check: () => Promise<void> | void][] = [
  [
    'Request body',
    '`--max-body` (default 1 MiB)',
    async () => {
      const body = (size: number) => post('/tags', `name=b${'&'.repeat(size - 6)}`, form);
      expect([await body(MiB), await body(MiB + 1)]).toEqual([201, 413]);
    },
  ],
  // The size in pixels and the boxes are tested in test/model/images/header.test.ts.
  [
    'Uploaded image',
    '`--max-upload` (default 20 MiB), 65,536 pixels, 1,000 boxes of an AVIF file',
    () => expect(defaultMaxUpload).toBe(20 * MiB),
  ],
  ['ID of a record or user', 'From 1 to 4,503,599,627,370,495', () => expect(maxId).toBe(4_503_599_627_370_495)],
  [
    'Body of `import` and `seed`',
    '256 MiB; all bodies at one time 512 MiB',
    () => expect([maxDataBytes, maxBufferedBytes]).toEqual([256 * MiB, 512 * MiB]),
  ],
  [
    'Form',
    '10,000 values',
    async () =>
      expect([await post('/tags', `name=f&${values(9999)}`, form), await post('/tags', `name=g&${values(10_000)}`, form)]).toEqual([
        201, 400,
      ]),
  ],
  ['Query', '10,000 values', async () => expect([await queryFault(10_000), await queryFault(10_001)]).toEqual([false, true])],
  ['JSON', '512 levels deep', async () => expect([await post('/tags', nested(512)), await post('/tags', nested(514))]).toEqual([201, 400])],
  ['Linked records of one kind per event', '500', async () => expect([await linked(500), await linked(501)]).toEqual([201, 400])],
  [
    'Records per page',
    '50',
    async () => {
      const { tags } = await served.json<{ tags: unknown[] }>('GET', '/tags?per_page=1000&hide_empty=false');
      expect(tags).toHaveLength(50);
    },
  ],
  [
    'Request head',
    '16 KiB, within 60 s',
    async () => {
      expect([maxHeaderSize, serverTimeouts.headersTimeout]).toEqual([16 << 10, 60_000]);
      expect([await headOf(15 << 10), await headOf(17 << 10)]).toEqual([200, 431]);
    },
  ],
  ['Whole request', '120 s', () => expect(serverTimeouts.requestTimeout).toBe(120_000)],
  [
    'Request log',
    '`--journal` (default 5,000 requests), 64 KiB of each body, 64 MiB in total',
    () => expect([defaultJournalSize, maxBodyBytes, maxTotalBytes]).toEqual([5000, 64 << 10, 64 * MiB]),
  ],
  // Its size is tested in test/data/serving/worlds.test.ts.
  ['Worlds', '`--max-worlds` (default 256), 1 GiB in total when one is created', () => expect(serverOptions.maxWorlds.default).toBe(256)],
  [
    'Faults',
    '1,000',
    async () => {
      for (let i = 0; i < 1000; i += 1) await served.control.addFault({ match: { path: '/doc' }, delay: 1 });
      await expect(served.control.addFault({ delay: 1 })).rejects.toMatchObject({ code: 'conflict' });
      await served.control.clearFaults({});
    },
  ],
  [
    'Line of NDJSON',
    '8 MiB',
    async () =>
      expect([await imports('ndjson', line(8 * MiB - 100)), await imports('ndjson', line(8 * MiB))]).toEqual([
        '',
        expect.stringContaining('line 1'),
      ]),
  ],
  ['Columns of a table', '1,000', async () => expect(await imports('csv', table(1001))).toContain('1000')],
  [
    'Occurrences of one rule',
    '5,000',
    async () => expect([await imports('ics', rule(700)), await imports('ics', rule(5001))]).toEqual(['', expect.stringContaining('5000')]),
  ],
  // The others are tested in test/data/ingest/download.test.ts, test/data/sync and test/client.
  ['Download of `import ADDRESS`', '256 MiB, within `--timeout`', () => expect(maxDownloadBytes).toBe(256 * MiB)],
  ['Response of another server', '128 MiB, within `--timeout`', () => expect(maxResponseBytes).toBe(128 * MiB)],
  ['List of another server', 'Its announced total and one page more; 1,000,000 records', () => expect(maxListedRecords).toBe(1_000_000)],
];

/** Returns whether a query with this number of values is rejected; a request head has no room for it. */
async function queryFault(count: number): Promise<boolean> {
  const { parseQuery } = await import('../../src/server/body.ts');
  try {
    parseQuery(values(count));
    return false;
  } catch {
    return true;
  }
}

it('the document lists these limits, and no others', () => {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split('## Limits of input');
  const rows = [...section.split('\n## ')[0]!.matchAll(/^\| (.*) \| (.*) \|$/gm)].slice(2).map(([, input, limit]) => [input, limit]);
  expect(rows).toEqual(limits.map(([input, limit]) => [input, limit]));
});

it.each(limits)('%s: %s', async (_input, _limit, check) => check());
