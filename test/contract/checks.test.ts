import { afterEach, describe, expect, it } from 'vitest';
import { CheckedServer } from '../../src/data/check/check.ts';
import { checks } from '../../src/data/check/run.ts';
import { contract, type Json } from '../support/contract-server.ts';

/** The sections of the documentation of the API. */
const sections = [
  'Event Calendar REST Service',
  'Conventions',
  'Resources and their fields',
  ...['Event', 'Venue', 'Organizer', 'Event category', 'Event tag'].map((name) => `Resources and their fields, ${name}`),
  'Endpoints',
  ...['Index and documentation', 'Events', 'Venues', 'Organizers', 'Categories', 'Tags'].map((name) => `Endpoints, ${name}`),
  'Errors',
  'Limits',
];

it.each(checks.map((check) => [check.name, check.specification]))('%s names a section of the specification: %s', (_name, specification) => {
  const said = specification.split(/; (?=[A-Z]|observed: )/).filter((part) => !part.startsWith('observed: '));
  expect(said.length).toBeGreaterThan(0);
  for (const part of said) expect(sections).toContain(part.split(':')[0]);
});

/** One test for each check of `calendar check --write`, by its name; none may be skipped here. */
contract('calendar check', { seed: 'demo' }, (server) => {
  const checked = new CheckedServer(async (method, path, query, body) => {
    const form = body instanceof URLSearchParams ? String(body) : undefined;
    const {
      status,
      headers,
      body: text,
    } = await server.send({
      method,
      path,
      query,
      ...(form === undefined ? { json: body } : { form }),
      as: 'administrator',
    });
    return { status, headers, json: text === '' ? undefined : (JSON.parse(text) as Json) };
  }, 'Checked');
  afterEach(async () => expect(await checked.clean()).toEqual([]));
  describe.each([...checks])('$name', (check) => {
    it(check.about, () => check.run(checked));
  });
});
