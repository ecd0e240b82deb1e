import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { resources } from '../../src/model/resources/all.ts';
import type { Call } from '../../src/server/http.ts';
import { openApi } from '../../src/server/openapi/document.ts';

it('/openapi.json is made once, and again where something in it is another', async () => {
  let made = 0;
  let title = 'One';
  let perPage = 10;
  const operations = () => {
    made += 1;
    return {};
  };
  const call = (home = 'http://here.example.org') =>
    openApi({
      service: { title: () => title, resources: () => resources, requestContext: () => ({ extensions: [], perPage }) },
      routes,
      site: { home, root: `${home}/calendar` },
      options: { namespace: 'calendar', basePath: '' },
    } as unknown as Call);
  const routes = [{ below: 'namespace', path: '/events', operations }] as unknown as Call['routes'];
  const first = await call();
  expect([await call(), made]).toEqual([first, 1]);
  title = 'Another';
  expect((await call()).value).toMatchObject({ servers: [{ description: 'Another' }] });
  perPage = 7;
  await call();
  expect((await call('http://there.example.org')).value).toMatchObject({ servers: [{ url: 'http://there.example.org/calendar' }] });
  expect(made).toBe(4);
});

it('/openapi.json is made in pieces, between which the server handles other requests', async () => {
  const calendar = await createCalendar({ listen: false });
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const { paths } = (await (await calendar.fetch(`${calendar.root}/openapi.json`)).json()) as { paths: object };
  clearImmediate(next);
  await calendar.close();
  expect(turns).toBeGreaterThan(Object.keys(paths).length);
});

it('/openapi.json of a site in a folder has the control API at the root of the server', async () => {
  await using calendar = await createCalendar({ listen: false, basePath: '/cal/wp-json' });
  const { paths } = (await (await calendar.fetch('/cal/openapi.json')).json()) as {
    paths: Record<string, { servers?: object }>;
  };
  expect(paths['/_calendar/health']!.servers).toEqual([{ url: 'http://calendar.localhost' }]);
});
