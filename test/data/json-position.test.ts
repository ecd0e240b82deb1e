import { expect, it } from 'vitest';
import { lineOf } from '../../src/data/json-position.ts';

const text = `{
  "settings": { "title": "a, \\"b\\": [" },
  "events": {
    "opening": {
      "title": "x", "tags": [
        "a",
        { "name": "b" }
      ]
    }
  },
  "users": [{ "name": "ann" },
    { "role": "x" }
  ]
}`;

it.each([
  ['settings', 2],
  ['settings.title', 2],
  ['events.opening.title', 5],
  ['events.opening.start_date', 4],
  ['events.opening.tags[0]', 6],
  ['events.opening.tags[1].name', 7],
  ['users[0].name', 11],
  ['users[1].role', 12],
  ['users[1].name', 12],
  ['nothing', undefined],
  ['$', undefined],
])('%s is in line %s', (at, line) => expect(lineOf(text, at)).toBe(line));
