import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, controlAt } from '../../../src/client/control.ts';
import { transportOf } from '../../../src/client/transport.ts';
import { createControl, type OperationTable } from '../../../src/data/operations/control.ts';
import { Failure } from '../../../src/model/error.ts';
import { type CalendarControl, operationGroups } from '../../../src/model/operations/all.ts';
import { operation, schema } from '../../../src/model/operations/operation.ts';
import { handleDirectly } from '../../../src/server/handle.ts';
import { type Listening, listen } from '../../../src/server/listen.ts';
import { controlPaths } from '../../../src/server/openapi/control.ts';
import { failureResponse } from '../../../src/server/response.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { faceOf } from '../../../src/testing/face.ts';
import { transportHere } from '../../../src/testing/transport.ts';
import { memory } from '../../support/calendars.ts';
import { serverWith } from '../../support/server.ts';

/** One more operation, as its two files would have it: a record, and an implementation. */
const rename = operation({
  id: 'renameCalendar',
  method: 'POST',
  path: '/rename/{title}',
  access: 'full',
  changes: true,
  serialized: true,
  about: 'Rename the calendar',
  input: schema((z) => z.strictObject({ title: z.string().min(2), times: z.int().optional().describe('number of times') })),
  output: schema((z) => z.object({ title: z.string() })),
});
const running: string[] = [];
const table: OperationTable = {
  groups: { ...operationGroups, naming: { rename } },
  implementations: {
    ...Object.fromEntries(Object.entries(operationGroups).map(([group, operations]) => [group, inert(operations)])),
    naming: {
      async rename({ store }, { title }: { title: string }) {
        running.push(`start ${title}`);
        await store.change((local) => local.settings.set('title', title));
        running.push(`end ${title}`);
        return { title: store.settings.get('title') };
      },
    },
  },
};
/** Implementations that are not called here. */
function inert(operations: object) {
  return Object.fromEntries(Object.keys(operations).map((name) => [name, () => null]));
}

type Renaming = CalendarControl & { renameCalendar(input: { title: string; times?: number }): Promise<{ title: string }> };

describe('an operation that is added as one record and one implementation', () => {
  let store: Store;
  let control: Renaming;
  let server: Listening;
  const context = () => ({ store, version: '', connectTo: () => Promise.reject(new Error('not connected')) });
  beforeAll(async () => {
    store = await memory();
    control = createControl(context(), {}, table) as Renaming;
    const missing = () => failureResponse(new Failure('rest_no_route', 'no'));
    const controlled = { control: () => control, access: { loopback: true, open: true }, groups: table.groups };
    server = await listen(serverWith(missing, { controlled }), { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });
  const send = (path: string, body?: object, method = 'POST') =>
    fetch(`${server.url}/_calendar${path}`, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    });

  it('is a method that runs in the queue', async () => {
    running.length = 0;
    const titles = await Promise.all(['One', 'Two'].map((title) => control.renameCalendar({ title })));
    expect(titles).toEqual([{ title: 'One' }, { title: 'Two' }]);
    expect(running).toEqual(['start One', 'end One', 'start Two', 'end Two']);
  });

  it('is a route, whose input is checked', async () => {
    const response = await send('/rename/Three', { times: 1 });
    expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([200, 'POST', { title: 'Three' }]);
    expect((await send('/rename/Three', undefined, 'GET')).status).toBe(405);
    const wrong = await send('/rename/T', { time: 1 });
    expect([wrong.status, ((await wrong.json()) as { data: { params: object } }).data.params]).toEqual([
      400,
      { title: 'must have at least 2', time: 'unknown field. Did you mean times or title?' },
    ]);
  });

  it('is a method of a client', async () => {
    const transport = transportOf(transportHere());
    const client = controlAt(server.url, undefined, transport, callsOf(table.groups)) as Renaming;
    expect(await client.renameCalendar({ title: 'Four' })).toEqual({ title: 'Four' });
    await expect(client.renameCalendar({ title: 'F' })).rejects.toMatchObject({ code: 'rest_invalid_param' });
    await transport.close();
  });

  it('is rejected by --read-only, and for callers without access', async () => {
    const readOnly = createControl(context(), { readOnly: true }, table) as Renaming;
    await expect(readOnly.renameCalendar({ title: 'Five' })).rejects.toMatchObject({ code: 'read-only' });
    const request = { method: 'POST', path: '/_calendar/rename/Five', query: '', headers: { host: 'x' }, body: Buffer.from('') };
    const controlled = { control: () => control, access: { loopback: true, open: false }, groups: table.groups };
    expect(await handleDirectly({ server: serverWith(() => Promise.reject(), { controlled }), request })).toMatchObject({ status: 403 });
  });

  it('is a TypeScript method', async () => {
    const face = faceOf({
      url: server.url,
      calendar: {} as never,
      control,
      isListening: false,
      calls: callsOf(table.groups),
      fetch,
      handler: () => Promise.reject(),
      fork: () => Promise.reject(),
      openWorld: () => Promise.reject(),
      close: async () => {},
    }) as unknown as { naming: { rename(input: object): Promise<unknown> } };
    expect(await face.naming.rename({ title: 'Six', times: undefined })).toEqual({ title: 'Six' });
  });

  it('is in /openapi.json', () => {
    const { post } = controlPaths('http://x.test', table.groups).paths['/_calendar/rename/{title}'] as Record<string, object>;
    expect(post).toMatchObject({
      operationId: 'controlRenameCalendar',
      summary: 'Rename the calendar',
      parameters: [{ name: 'title', in: 'path', required: true, schema: { type: 'string', minLength: 2 } }],
      requestBody: {
        required: false,
        content: { 'application/json': { schema: { properties: { times: { description: 'number of times' } } } } },
      },
    });
  });
});
