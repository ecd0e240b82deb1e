import { expect, it } from 'vitest';
import { questionsFor } from '../../../src/cli/ui/form/new-names.ts';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import { calendarWith } from '../../support/calendars.ts';

it.each<[what: string, field: string, resource: ResourceName, name: string, question: string | undefined]>([
  ['a new one', 'tags', 'tags', 'Folk', 'Create tag “Folk”?'],
  ['a possible typo', 'tags', 'tags', 'Jaz', 'Create tag “Jaz”? “Jazz” exists.'],
  ['one that exists, without events', 'tags', 'tags', 'jazz', undefined],
  ['a slug', 'venue', 'venues', 'hall', undefined],
  ['one with other typography', 'venue', 'venues', "O'Brien’s", undefined],
  ['a possible typo of two words', 'venue', 'venues', 'Main Hal', 'Create venue “Main Hal”? “Main Hall” exists.'],
])('a form asks before it creates %s', async (_what, field, resource, name, question) => {
  const store = await calendarWith({
    venues: { hall: { venue: 'Main Hall' }, pub: { venue: 'O’Brien’s' } },
    tags: { jazz: { name: 'Jazz' } },
  });
  const asked = await questionsFor(store.calendarFor(owner, { home: '', root: '' }), [{ field, resource, name }]);
  expect(asked).toEqual(question === undefined ? [] : [[field, question]]);
  await store.close();
});
