import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it } from 'vitest';
import { namespace } from '../../src/model/routes.ts';
import { createHandler } from '../../src/server/router.ts';
import { openCalendar } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { inFolder } from '../support/items.ts';

const { fdatasync } = fs;
afterEach(() => setSync(fdatasync));

function setSync(sync: unknown): void {
  Object.assign(fs, { fdatasync: sync });
  syncBuiltinESMExports();
}

it.each([
  ['ENOSPC', 507, 'store-full'],
  ['EROFS', 503, 'store-read-only'],
  ['EIO', 503, 'store-io'],
])('a write that the disk refuses with %s gets %i %s, and the next one succeeds', (code, status, failure) =>
  inFolder(async (folder) => {
    const store = await openCalendar(`${folder}/a.db`, { mode: 'write', now: Date.now, notice: () => {} });
    const handle = createHandler(serviceOf(store), { basePath: '', namespace, headerPrefix: 'X-Calendar' });
    const create = async (name: string) => {
      const headers = { host: '127.0.0.1', 'content-type': 'application/json' };
      const body = Buffer.from(JSON.stringify({ name }));
      const response = await handle({ method: 'POST', path: `/${namespace}/tags`, query: '', headers, body });
      return [response.status, JSON.parse(bodyText(response)).code];
    };
    setSync((_: number, done: fs.NoParamCallback) => done(Object.assign(new Error(code), { code, syscall: 'fdatasync' })));
    expect(await create('refused')).toEqual([status, failure]);
    setSync(fdatasync);
    expect(await create('accepted')).toEqual([201, undefined]);
    await store.close();
  }),
);
