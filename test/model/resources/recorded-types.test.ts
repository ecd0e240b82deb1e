import Ajv2020 from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import { type Entry, resourceNames } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { recordings } from '../../support/recorded-site.ts';

/** A record with the members that older releases lack, and with numbers for their IDs in text. */
function completed(record: Entry): Entry {
  const { id, cost_details, venue, organizer, categories, tags, image } = record as Record<string, never> & Entry;
  const post = (each: object) => ({ slug: '', status: 'publish', ...each });
  const term = (each: object) => ({ term_group: 0, term_taxonomy_id: 1, filter: 'raw', urls: { self: '', collection: '' }, ...each });
  const known = {
    ...(cost_details ? { custom_fields: [], ...post(record), cost_details: { currency_code: '', ...(cost_details as object) } } : record),
    id: Number(id),
    ...(image ? { image: { ...(image as Entry), id: Number((image as Entry).id) } } : {}),
  };
  const linked = { venue: [venue ?? []].flat().map(post)[0], organizer: [organizer ?? []].flat().map(post) };
  return (
    cost_details
      ? {
          ...known,
          ...linked,
          venue: linked.venue ?? [],
          ...{ categories: (categories as unknown as object[]).map(term), tags: (tags as unknown as object[]).map(term) },
        }
      : 'taxonomy' in record
        ? term(known)
        : post(known)
  ) as Entry;
}

it.each(recordings)('the document of the API describes what $id ($year) shows', async ({ records }) => {
  await using calendar = await createCalendar({ listen: false });
  const document = await (await calendar.fetch('/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).addSchema(document as object, 'api');
  const faults: string[] = [];
  for (const name of resourceNames) {
    const { kind } = resources[name];
    const validate = ajv.getSchema(`api#/components/schemas/${kind[0]!.toUpperCase()}${kind.slice(1)}`)!;
    for (const [id, { single, listed }] of records[name])
      for (const form of [single, listed])
        if (form && !validate(completed(form)))
          faults.push(...validate.errors!.map(({ instancePath, message }) => `${name} ${id} ${instancePath} ${message}`));
  }
  expect(faults).toEqual([]);
});
