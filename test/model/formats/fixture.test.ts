import { expect, it } from 'vitest';
import * as z from 'zod';
import type { Problem } from '../../../src/model/error.ts';
import { readFixture } from '../../../src/model/formats/fixture.ts';

it.each<[string, unknown, string[]]>([
  ['a list', [], ['$: must be an object with sections like "events" and "venues"']],
  ['an unknown section', { venus: {} }, ['venus: unknown field. Did you mean venues or events?']],
  ['a section of text', { venues: 'x' }, ['venues: must be an object or a list']],
  ['a record of text', { venues: { hall: 'x' }, tags: ['x'] }, ['venues.hall: must be an object', 'tags[0]: must be an object']],
  ['an unknown member', { tags: [{ name: 'x' }, { nmae: 'y' }] }, ['tags[1].nmae: unknown field. Did you mean name?']],
  ['an ID that is text', { tags: [{ id: 'seven', name: 'x' }] }, ['tags[0].id: must be a number']],
  ['a setting that is a list', { settings: { title: [] } }, ['settings.title: must be text or a number']],
  ['an image without an address', { images: { poster: 'poster.png' } }, ['images.poster: must be a URL']],
  [
    'users',
    { users: { ann: { role: 'editr', password: '' } } },
    ['users.ann.role: must be one of administrator, editor, author, contributor, subscriber', 'users.ann.password: must not be empty'],
  ],
  [
    'a reference',
    { tags: {}, events: [{ tags: ['@x'], image: '@y' }] },
    ['events[0].tags[0]: unknown key @x in tags', 'events[0].image: unknown key @y in images'],
  ],
  ['values of fields, which the store judges', { events: { a: { title: 5, start_date: false } } }, []],
])('the form of a fixture: %s', (_, document, expected) => {
  const problems: Problem[] = [];
  readFixture(document, problems, z);
  expect(problems.map(({ at, reason }) => `${at}: ${reason}`)).toEqual(expected);
});
