import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../support/contract-calendar.ts';
import { type Call, type Json, namespace, Server, users, way } from '../support/contract-server.ts';
import { fuzz } from '../support/fuzz.ts';
import { type DocumentedOperation, OpenApiCheck } from '../support/openapi-check.ts';

const inPage = way === 'in a browser';
const { noBrowser } = inPage ? await import('../support/browser.ts') : {};
const server = new Server(inPage ? way : 'in process');
/** In this process, which gives the answers that a page has to give. */
const twin = inPage ? new Server('by a handler') : undefined;
const servers = [server, ...(twin ? [twin] : [])];
let check: OpenApiCheck;
const answered = new Map<string, Set<number>>();
beforeAll(async () => {
  if (noBrowser) return;
  for (const each of servers) {
    await each.open();
    await build(each);
  }
  check = new OpenApiCheck(await server.get('/openapi.json'));
});
afterAll(async () => {
  if (!noBrowser) for (const each of servers) await each.close();
});

/** Texts that mean something somewhere, and any others. */
const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('2027-03-01 10:00', 'next friday 8pm', 'Europe/Paris', 'https://example.org/a.png', 'Music', '$5', 'secret'),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 60 }).map(String) },
  fc.string(),
  fc.string({ unit: 'grapheme' }),
);

/** Values of a schema. */
function drawn(schema: Json, depth = 0): Arbitrary<unknown> {
  const {
    $ref,
    anyOf,
    oneOf,
    enum: words,
    const: one,
    type,
    pattern,
    minLength = 0,
    minimum,
    maximum,
    items,
    properties,
    required = [],
  } = schema;
  if ($ref) return drawn(check.resolved(schema), depth + 1);
  if (anyOf ?? oneOf) return fc.oneof(...(anyOf ?? oneOf).map((each: Json) => drawn(each, depth)));
  if (words) return fc.constantFrom(...words);
  if (one !== undefined) return fc.constant(one);
  const types: string[] = Array.isArray(type) ? type : [type];
  const of = (name: string): Arbitrary<unknown> => {
    switch (name) {
      case 'string':
        return pattern ? fc.stringMatching(new RegExp(pattern)) : text.filter(({ length }) => length >= minLength);
      case 'integer':
        return fc.oneof(
          fc.integer({ min: minimum ?? 0, max: Math.min(maximum ?? 60, 60) }),
          fc.integer({ min: minimum ?? -(2 ** 31), max: maximum ?? 2 ** 31 }),
        );
      case 'number':
        return fc.double({ min: minimum ?? -200, max: maximum ?? 200, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return depth > 3
          ? fc.constant([])
          : fc.array(drawn(items ?? {}, depth + 1), { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 3 });
      default: {
        const names = Object.keys(properties ?? {});
        const some = depth > 2 ? fc.constant([]) : fc.subarray(names, { maxLength: Math.min(6, names.length) });
        return some.chain((chosen) =>
          fc.record(Object.fromEntries([...new Set([...required, ...chosen])].map((each) => [each, drawn(properties[each], depth + 1)]))),
        );
      }
    }
  };
  return fc.oneof(...types.map(of));
}

const written = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .filter((item) => typeof item !== 'object')
        .map(String)
        .join(',')
    : String(value);

/** A request of an operation: all that its path needs, some of what its query and its body may have. */
function requestOf({ method, path, operation }: DocumentedOperation): Arbitrary<Call> {
  const parameters: Json[] = operation.parameters.map((each: Json) => check.resolved(each));
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const values = (place: string, chosen: readonly string[]) =>
    fc.record(
      Object.fromEntries(
        placed(place)
          .filter(({ name }) => chosen.includes(name))
          .map(({ name, schema }) => [name, drawn(schema)]),
      ),
    );
  const names = (place: string) => placed(place).map(({ name }) => name as string);
  const content = operation.requestBody?.content;
  const body = content
    ? fc.oneof(
        { weight: 4, arbitrary: drawn(content['application/json'].schema).map((json): Partial<Call> => ({ json })) },
        drawn(content['application/x-www-form-urlencoded'].schema).map((value): Partial<Call> => {
          const pairs = Object.entries(value as object).filter(
            ([, each]) => each !== null && (typeof each !== 'object' || Array.isArray(each)),
          );
          return { form: new URLSearchParams(pairs.map(([name, each]): [string, string] => [name, written(each)])).toString() };
        }),
      )
    : fc.constant<Partial<Call>>({});
  return fc
    .record({
      path: values('path', names('path')),
      query: fc.subarray(names('query'), { maxLength: Math.min(4, names('query').length) }).chain((chosen) => values('query', chosen)),
      body,
      as: fc.option(fc.constantFrom(...users.map(({ name }) => name)), { nil: undefined }),
    })
    .map(({ path: named, query, body: sent, as }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(written((named as Json)[name])));
      const at =
        operation.tags[0] === 'Feed' || operation.operationId === 'getDiscovery' || operation.operationId === 'getIndex'
          ? filled
          : `/${namespace}${filled}`;
      const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(written(value))}`);
      return { method, at, query: parts.join('&'), as, ...sent };
    });
}

/** Any operation but those of the control interface, which change what a case finds. */
const anyRequest = fc.nat().chain((at) => {
  const operations = check.operations.filter(({ operation }) => !operation.tags.includes('Control'));
  const chosen = operations[at % operations.length]!;
  return requestOf(chosen).map((call) => ({ call, name: chosen.operation.operationId as string }));
});

/** A body without what no two calendars have the same: UUIDs. */
const comparable = (body: string): string => body.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID');

// `send` holds every answer to the document.
describe.skipIf(noBrowser)(`requests ${way}`, () => {
  fuzz(
    'requests drawn from /openapi.json get no undeclared status, and no answer outside its schema',
    anyRequest,
    async ({ call, name }) => {
      const { status, body } = await server.send(call);
      if (twin) {
        const same = await twin.send(call);
        expect(
          `${status} ${comparable(body)}` === `${same.status} ${comparable(same.body)}`,
          `${JSON.stringify(call)} -> ${status} ${body.slice(0, 500)}, not ${same.status} ${same.body.slice(0, 500)}`,
        ).toBe(true);
      }
      expect(status, `${JSON.stringify(call)} -> ${body}`).toBeLessThan(500);
      answered.set(name, (answered.get(name) ?? new Set()).add(status));
    },
    { inOrder: true },
  );

  it('the requests drawn were of every kind of operation, and some of them were taken', () => {
    const taken = [...answered.values()].filter((statuses) => [...statuses].some((status) => status < 300)).length;
    expect(taken).toBeGreaterThan(10);
  });
});
