import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlAt } from '../../../src/client/control.ts';
import { transportOf } from '../../../src/client/transport.ts';
import { createControl } from '../../../src/data/operations/control.ts';
import { type CalendarControl, operationGroups, operations } from '../../../src/model/operations/all.ts';
import type { Operation } from '../../../src/model/operations/operation.ts';
import { handleDirectly } from '../../../src/server/handle.ts';
import type { ServerResponse } from '../../../src/server/http.ts';
import { controlDocument } from '../../../src/server/openapi/control.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { faceOf } from '../../../src/testing/face.ts';
import { transportHere } from '../../../src/testing/here.ts';
import { bodyText } from '../../support/body-text.ts';
import { memory } from '../../support/calendars.ts';
import { serverWith } from '../../support/server.ts';
import { unconnected } from '../../support/unconnected.ts';

type Method = (input?: object) => Promise<unknown>;

/** Every operation with its group and its name. A new one is in this table, and so in every place below. */
const all = Object.entries(operationGroups).flatMap(([group, members]) =>
  Object.entries<Operation>(members).map(([name, operation]) => ({ id: operation.id, group, name, operation })),
);
const changing = all.filter(({ operation }) => operation.changes);
const pathOf = ({ path }: Operation) => `/_calendar${path.replace(/\{\w+\}/, 'x')}`;
const failure = (response: ServerResponse) => (JSON.parse(bodyText(response)) as { code: string }).code;

describe('an operation is one record and one implementation', () => {
  let store: Store;
  const context = () => ({ store, version: '', node: unconnected });
  const documented = controlDocument().paths;
  const controlOf = (readOnly: boolean) => createControl(context(), { readOnly }) as unknown as Record<string, Method>;
  beforeAll(async () => {
    store = await memory();
  });
  afterAll(() => store.close());

  it('and has one ID', () => expect(Object.keys(operations)).toEqual(all.map(({ id }) => id)));

  it.each(all)('$id is a method of the control', ({ id }) => expect(controlOf(false)[id]).toBeTypeOf('function'));

  it.each(changing)('$id is rejected by --read-only', async ({ id }) => {
    await expect(controlOf(true)[id]!({})).rejects.toMatchObject({ code: 'read-only' });
  });

  it.each(all)('$id is in /openapi.json', ({ id, operation }) => {
    const path = documented[`/_calendar${operation.path}`] as Record<string, { operationId: string; summary: string }>;
    expect(path[operation.method.toLowerCase()]).toMatchObject({
      operationId: `control${id[0]!.toUpperCase()}${id.slice(1)}`,
      summary: operation.about,
    });
  });

  it.each(all.filter(({ operation }) => operation.access !== 'everyone'))(
    '$id is a route, for callers with access',
    async ({ operation }) => {
      const request = { method: operation.method, path: pathOf(operation), query: '', headers: { host: 'x' }, body: Buffer.from('') };
      const controlled = { control: () => ({}) as CalendarControl, access: { loopback: true, open: false } };
      const response = await handleDirectly({ server: serverWith(() => Promise.reject(), { controlled }), request });
      expect([response.status, failure(response as never)]).toEqual([403, 'control-not-allowed']);
    },
  );

  it('is a method of a client', async () => {
    const transport = transportOf(transportHere());
    expect(Object.keys(controlAt('http://x.test', undefined, transport)).sort()).toEqual(Object.keys(operations).sort());
    await transport.close();
  });

  // Those of tests are for hooks.
  it.each(all.filter(({ group }) => group !== 'tests'))('$id is a TypeScript method', ({ group, name }) => {
    const face = faceOf({
      url: 'http://x.test',
      calendar: {},
      control: controlOf(false),
      isListening: false,
      fetch,
      openWorld: fetch,
      fork: fetch,
      handler: fetch,
      close: fetch,
    } as never);
    const place = group === 'server' ? face : face[(group === 'sync' ? 'data' : group) as 'data'];
    expect((place as unknown as Record<string, Method>)[name]).toBeTypeOf('function');
  });

  it('runs in the queue if it is serialized', async () => {
    const order: string[] = [];
    store.snapshots.save = async (name) => {
      order.push(`start ${name}`);
      await new Promise(setImmediate);
      order.push(`end ${name}`);
      return { name, taken: '', bytes: 0, automatic: false };
    };
    expect(operations.saveSnapshot.serialized).toBe(true);
    const { saveSnapshot } = controlOf(false);
    await Promise.all(['one', 'two'].map((name) => saveSnapshot!({ name })));
    expect(order).toEqual(['start one', 'end one', 'start two', 'end two']);
  });
});
