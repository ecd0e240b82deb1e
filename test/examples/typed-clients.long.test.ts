import { describe, expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();

describe.each(['openapi-fetch', 'hey-api'])('the example of %s', { timeout: limit(120_000) }, (name) => {
  it.for(['', '--namespace brand/events/v1 --base-path /wp-json '])(
    'with exec %s, is generated, compiles strictly, and lists, creates, updates, reads failures and deletes',
    async (options, { skip }) => {
      skip(!examples.hasPackages(), 'needs a registry of packages');
      const said = await examples.run(examples.copy(`examples/${name}`, options), 'test');
      // Then exec reports what a site would handle differently: it writes without credentials.
      expect(said.slice(said.indexOf('listed')).split('calendar: Requests')[0]!.trim().split('\n')).toEqual([
        'listed 5 of 18; the header says 18',
        'created Typed concert at Old Station, 8 or 12',
        'updated: featured is true, the title is still Typed concert',
        'sent back: Typed concert II',
        'refused: start_date',
        'deleted: trash',
        'deleted again: event-is-in-trash 410',
        'the clock stands at 2027-03-01T09:00:00.000Z',
      ]);
    },
  );
});
