import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Resource, ResourceName } from '../../src/model/calendar.ts';
import { between, createRandom, happens, oneOf, type Random } from '../../src/model/generate/random.ts';
import { resources } from '../../src/model/resources/all.ts';
import { contract, type Json } from '../support/contract-server.ts';
import { texts } from '../support/hostile-texts.ts';
import { decent, expectAlive } from '../support/valid-response.ts';

const all: Resource[] = Object.values(resources);
const label: Record<ResourceName, object> = {
  events: { title: 'Event', start_date: '2027-03-01', end_date: '2027-03-02' },
  venues: { venue: 'Hall' },
  organizers: { organizer: 'Ada' },
  categories: { name: 'Music' },
  tags: { name: 'Free' },
};

const numbers = [
  '1e308',
  '-1e308',
  '1e309',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '-0',
  '0',
  '+0',
  '0.0',
  '0x10',
  '0b1',
  '0o7',
  '1_000',
  '1,5',
  ' 1 ',
  '1e-7',
  '5e-324',
  '.5',
  '5.',
  '1e',
  'NaN',
  'nan',
  'Infinity',
  '-Infinity',
  'inf',
  '٣',
  '１',
  '9'.repeat(400),
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
];

/** A text with lone surrogates replaced, as every encoder does. */
const wellFormed = (text: string) => Buffer.from(text).toString();

/** A random text of bytes, of hostile pieces, or of both. */
function noise(random: Random): string {
  let text = '';
  for (let left = between(random, 0, 12); left > 0; left--)
    text += happens(random, 0.5)
      ? oneOf(random, texts)
      : happens(random, 0.5)
        ? oneOf(random, numbers)
        : String.fromCodePoint(between(random, 0, happens(random, 0.1) ? 0x10ffff : 0x2ff));
  return text;
}
const bytes = (random: Random, most: number) => Uint8Array.from({ length: between(random, 0, most) }, () => between(random, 0, 255));
const escaped = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
/** A text as a request line may contain it, without the characters that HTTP forbids. */
const raw = (text: string) => text.replace(/[^\x21-\x7e]/g, '').replace(/#/g, '');
const header = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();

contract('hostile requests', { oddRequests: true }, (server) => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    for (const { name } of all) ids[name] = (await server.make(name, label[name])).id;
  });
  afterEach(() => expectAlive(server));

  // First, for each search reads all records that the other tests leave behind.
  describe('searches', () => {
    it('of a thousand words', async () => {
      for (const words of [
        'a '.repeat(6000),
        '-a '.repeat(4000),
        '"a b" '.repeat(2000),
        '"'.repeat(12_000),
        '-'.repeat(12_000),
        Array.from({ length: 2500 }, (_, index) => `w${index}`).join(' '),
        Array.from({ length: 2500 }, (_, index) => `-w${index}`).join(' '),
      ])
        for (const { name } of all)
          await decent(server, {
            path: `/${name}`,
            query: `search=${encodeURIComponent(words).slice(0, 15_000).replace(/%.?$/, '')}&hide_empty=0`,
          });
    });
    it('of signs that mean something to SQL', async () => {
      for (const { name } of all)
        for (const text of texts)
          await decent(server, { path: `/${name}`, query: `search=${encodeURIComponent(wellFormed(text))}&hide_empty=0&per_page=50` });
    });
    it('of lists of ten thousand', async () => {
      const many = (item: string, count = 4000) => Array.from({ length: count }, () => item).join(',');
      for (const query of [
        `include=${many('1')}`,
        `venue=${many('1', 2000)}`,
        `categories=${many('music', 1500)}`,
        `tags=${many('free', 2000)}`,
        `status=${many('publish', 1500)}`,
        `include=${'1,'.repeat(6000)}`,
        `include=${','.repeat(12_000)}`,
      ])
        await decent(server, { path: '/events', query, as: 'editor' });
    });
  });

  it.each(all.map(({ name, list }) => [name, list.parameters] as const))(
    'huge and odd numbers for every parameter of %s',
    async (name, filters) => {
      for (const filter of filters)
        for (const number of [...numbers, ...texts]) {
          for (const query of [`${filter.name}=${encodeURIComponent(wellFormed(number))}`, `${filter.name}[]=${escaped(number)}`])
            await decent(server, { path: `/${name}`, query });
        }
      for (const number of numbers) {
        await decent(server, {
          path: `/${name}`,
          query: `page=${encodeURIComponent(number)}&per_page=${encodeURIComponent(number)}&hide_empty=0`,
        });
        await decent(server, { path: `/${name}`, query: `page=${encodeURIComponent(number)}&per_page=50`, as: 'editor' });
      }
    },
  );

  // One resource of each family: IDs and slugs are parsed once for all.
  it.each(['events', 'categories'])('odd IDs and slugs of %s', async (name) => {
    for (const part of [...numbers, ...texts].flatMap((text) => [raw(text), escaped(wellFormed(text))]))
      for (const path of [`/${name}/${part}`, `/${name}/by-slug/${part}`, `/${name}/${part}/`, `/${part}`])
        for (const method of ['GET', 'PATCH', 'OPTIONS'])
          await decent(server, { method, path, as: method === 'PATCH' ? 'editor' : undefined });
  });

  it.each(all.map(({ name, fields }) => [name, fields] as const))('odd values for every field of %s', async (name, fields) => {
    const odd: unknown[] = [
      ...texts,
      ...numbers,
      1e308,
      -1e308,
      2 ** 53,
      -0,
      0.1,
      -1,
      null,
      true,
      [],
      {},
      [[]],
      [null],
      [[[]]],
      { id: {} },
      { id: null },
      { id: [1] },
      [{ id: '1' }],
      { a: { b: {} } },
      { 0: 1 },
      { length: 5 },
      { __proto__: null, toString: 1 },
    ];
    // The fields of other resources have the kinds of those of events.
    const valuesFor = (index: number) => (name === 'events' ? odd : odd.filter((_, at) => at % 2 === index % 2));
    for (const [index, field] of fields.entries())
      for (const value of valuesFor(index)) {
        const reply = await decent(server, {
          method: 'PATCH',
          path: `/${name}/${ids[name]}`,
          json: { [field.name]: value },
          as: 'administrator',
        });
        if (reply.status >= 300) continue;
        const again = await server.send({ path: `/${name}/${ids[name]}`, query: 'context=edit', as: 'administrator' });
        expect([200, 403], `${field.name} ${JSON.stringify(value)} ${again.body.slice(0, 200)}`).toContain(again.status);
        if (field.name === 'status' || field.name === 'post_password')
          await server.change(name, ids[name]!, { status: 'publish', post_password: '' });
      }
    for (const value of odd)
      await decent(server, {
        method: 'POST',
        path: `/${name}`,
        json: { ...label[name], [fields.find(({ required }) => required)!.name]: value },
        as: 'administrator',
      });
  });

  it('texts are kept whole, without control characters', async () => {
    for (const [sent, kept] of [
      ['a\0b', /^a\0b$/],
      ['👨‍👩‍👧‍👦', /^👨‍👩‍👧‍👦$/],
      ['\u202eabc', /abc$/],
    ] as const) {
      const made = await server.make('venues', { venue: 'Texts', city: sent });
      expect(made.city, JSON.stringify(sent)).toMatch(kept);
      expect((await server.get(`/venues/${made.id}`)).city).toBe(made.city);
    }
  });

  it('random paths, queries, headers and bodies', async () => {
    const random = createRandom('requests');
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'text/plain',
      'application/json; charset=utf-16',
      'a/b',
    ];
    const parameters = all.flatMap(({ list, fields }) => [...list.parameters, ...fields].map((one) => one.name));
    for (let count = 0; count < 500; count++) {
      const resource = oneOf(random, all);
      const parts = Array.from({ length: between(random, 0, 5) }, () => {
        const name = happens(random, 0.7)
          ? oneOf(random, [...parameters, '_fields', '_envelope', '_jsonp', '_method', 'rest_route', 'context', 'password'])
          : raw(noise(random));
        const bracket = happens(random, 0.3) ? `[${raw(noise(random)).slice(0, 10)}]` : '';
        const value = happens(random, 0.5) ? escaped(wellFormed(noise(random))) : raw(noise(random));
        return `${name}${bracket}=${value}`;
      });
      const method = oneOf(random, ['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);
      const path = oneOf(random, [
        `/${resource.name}`,
        `/${resource.name}/${between(random, -1, 12)}`,
        `/${resource.name}/by-slug/${raw(noise(random))}`,
        `/${raw(noise(random))}`,
        '',
        '/doc',
      ]);
      const type = oneOf(random, types);
      const body = happens(random, 0.5)
        ? bytes(random, 300)
        : happens(random, 0.5)
          ? Buffer.from(parts.join('&'))
          : Buffer.from(JSON.stringify(Object.fromEntries(parts.map((part) => [oneOf(random, parameters), part]))));
      const extra = happens(random, 0.3)
        ? {
            [oneOf(random, [
              'origin',
              'accept',
              'x-http-method-override',
              'if-none-match',
              'cookie',
              'referer',
              'x-forwarded-host',
              'range',
              'accept-encoding',
            ])]: header(noise(random)),
          }
        : {};
      const authorization: Record<string, string> = happens(random, 0.2) ? { authorization: header(`Basic ${noise(random)}`) } : {};
      await decent(server, {
        method,
        path,
        query: parts.join('&'),
        headers: { 'content-type': type, ...extra, ...authorization },
        body,
        as: happens(random, 0.5) ? 'administrator' : undefined,
      });
    }
  });

  describe('JSON', () => {
    const deep = (depth: number, open: string, inner: string, close: string) => open.repeat(depth) + inner + close.repeat(depth);
    const send = (body: string | Uint8Array, path = '/events', method = 'POST') =>
      decent(server, { method, path, body, headers: { 'content-type': 'application/json' }, as: 'administrator' });
    it.each([1000, 100_000])('%i deep', async (depth) => {
      await send(deep(depth, '[', '', ']'));
      await send(deep(depth, '{"a":', '1', '}'));
      // The greater depth is refused before any field is checked.
      for (const { name, fields } of all)
        for (const field of fields.slice(0, depth > 1000 ? 1 : undefined))
          for (const [open, close] of [
            ['[', ']'],
            ['{"a":', '}'],
            ['{"venue":', '}'],
            ['{"id":', '}'],
          ] as const) {
            const value = deep(depth, open, '1', close);
            if (value.length < 1 << 20) await send(`{${JSON.stringify(label[name]).slice(1, -1)},"${field.name}":${value}}`, `/${name}`);
          }
      expect((await send('['.repeat(depth))).status).toBe(400);
    });
    it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])('with the key %s', async (key) => {
      for (const value of ['{"polluted":1}', '{"prototype":{"polluted":1}}', '[]', 'null', '1']) {
        await send(`{"title":"x","start_date":"now","end_date":"now","${key}":${value}}`);
        await send(`{"title":"x","start_date":"now","end_date":"now","venue":{"venue":"y","${key}":${value}},"tags":{"${key}":${value}}}`);
        await send(`{"${key}":${value}}`, `/events/${ids.events}`, 'PATCH');
      }
    });
    it('a megabyte of it', async () => {
      const wide = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join(',');
      await send(`{"title":"x","start_date":"now","end_date":"now",${wide(60_000, (index) => `"k${index}":1`)}}`);
      await send(`{"title":"${'x'.repeat(1_000_000)}","start_date":"now","end_date":"now"}`);
      await send(`{"title":"x","start_date":"${'1 '.repeat(400_000)}","end_date":"now"}`);
      await send(`{"title":"x","start_date":"now","end_date":"now","venue":[${wide(100_000, () => '1')}]}`);
      await send(`{"title":"x","start_date":"now","end_date":"now","cost":[${wide(100_000, (index) => `"${index}"`)}]}`);
      await send(`{"title":"x","start_date":"now","end_date":"now","author":"${'9'.repeat(1_000_000)}"}`);
    });
    it.each(['{"a":1e999}', '{"title":"\\ud800"}', '{"title":"\\u0000"}', '\ufeff{}', '{"a":1,"a":2}', ' \n\t{}', '{"title":1e309}'])(
      '%j',
      (body) => send(body).then(() => {}),
    );
    it.each(['\\ud800', '\\udfff', '\\ud83d\\ud83d', 'a\\uDBFFb', '\\udc00\\ud800', '\\\\\\ud800'])(
      'with half a character, %s, is refused',
      async (text) => {
        expect((await send(`{"name":"${text}"}`, '/tags')).status).toBe(400);
      },
    );
    it.each(['\\ud83d\\ude00', '\\\\ud800', '\\uD83D\\uDE00!', '\\\\\\\\udfff'])('with whole characters, %s, is read', async (text) => {
      const { status, body } = await send(`{"name":"Whole ${text}"}`, '/tags');
      expect([status, JSON.parse(body).name]).toEqual([201, JSON.parse(`"Whole ${text}"`)]);
    });
    it('of bytes that are not UTF-8', async () => {
      await send(
        Buffer.concat([
          Buffer.from('{"title":"'),
          Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xff, 0xf8, 0x88]),
          Buffer.from('","start_date":"now","end_date":"now"}'),
        ]),
      );
    });
  });

  describe('names of parameters', () => {
    it.each([
      '_fields=__proto__.polluted',
      '_fields=constructor.prototype.polluted',
      '_fields[__proto__]=polluted',
      '_fields=toString.polluted,id.polluted.x,id',
      '__proto__[polluted]=1',
      'a[__proto__][polluted]=1',
      'constructor[prototype][polluted]=1',
      'a[constructor][prototype][polluted]=1',
      'toString[polluted]=1&hasOwnProperty=1&valueOf[a][b]=1',
      'categories[999999999][x]=1',
      'categories[4294967294][x]=1',
      'categories[]=1&categories[999999999][x]=1',
      'categories[length]=999999999',
      'include[4294967295]=1',
      'cost[1000000000][a]=1',
      `a${'[a]'.repeat(4000)}=1`,
      `a${'['.repeat(8000)}=1`,
      `${'['.repeat(4000)}${']'.repeat(4000)}=1`,
      'a[=1&a]=1&[a]=1&[]=1&=1&&&=&a[b=1&a[b]c=1',
      'a=1&a[]=2&a[b]=3&a=4',
      'search[]=a&search=b&search[c]=d',
      '%',
      'search=%',
      'search=a%',
      'search=%4',
      'search=%zz&%=%',
      'search=%c0%ae%c0%ae',
      'search=%ed%a0%80',
      'search=%00',
      'search=%f5%80%80%80',
    ])('?%s', async (query) => {
      for (const { name } of all) {
        await decent(server, { path: `/${name}`, query });
        await decent(server, { method: 'POST', path: `/${name}`, form: query, as: 'editor' });
      }
      expect(({} as Json).polluted).toBeUndefined();
    });
    it('ten thousand of them', async () => {
      const many = (item: (index: number) => string) => Array.from({ length: 10_000 }, (_, index) => item(index)).join('&');
      const forms = [
        many((index) => `a${index}=1`),
        many(() => 'tags[]=1'),
        many((index) => `tags[${index}]=${index}`),
        many((index) => `a[${index}][b]=1`),
        many(() => 'title=x'),
        many((index) => `venue[${index}][venue]=x`),
        many((index) => `a[${index % 7}][${index % 5}][]=1`),
      ];
      for (const form of forms) {
        await decent(server, { method: 'POST', path: '/events', form, as: 'contributor' });
        await decent(server, { method: 'POST', path: '/events', form: `${form}&title=x&start_date=now&end_date=now`, as: 'subscriber' });
        const parts = form.split('&').map((part) => `--x\r\nContent-Disposition: form-data; name="${part.split('=')[0]}"\r\n\r\n1\r\n`);
        await decent(server, {
          method: 'POST',
          path: '/events',
          body: `${parts.join('')}--x--\r\n`,
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
        });
      }
      for (const form of forms) await decent(server, { path: '/events', query: form.slice(0, 14_000) });
    });
  });

  describe('credentials', () => {
    it.each([
      'Basic',
      'Basic ',
      'Basic :',
      'Basic Og==',
      'Basic AAAA',
      'Basic //////',
      'Basic ====',
      'Basic ZWRpdG9y',
      `Basic ${'A'.repeat(8000)}`,
      'Digest x',
      'Bearer',
      'x',
      ' ',
      'basic\tZWRpdG9yOnBhc3N3b3Jk',
      `Basic ${Buffer.from("' or 1=1 --:x").toString('base64')}`,
      `Basic ${Buffer.from('edi\0tor:password').toString('base64')}`,
      `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x80]).toString('base64')}`,
    ])('%j', async (authorization) => {
      const { status } = await decent(server, {
        method: 'POST',
        path: '/tags',
        json: { name: 'Not made' },
        headers: { authorization: authorization.trim() },
      });
      expect(status).toBe(401);
    });
  });
});
