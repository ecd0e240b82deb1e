import Ajv2020 from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';
import { compareResponse } from '../../../src/data/response-check.ts';
import { resourceNames } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { recordings } from '../../support/recorded-site.ts';

it.each(recordings)('the document of the API and the definitions describe what $id ($year) shows', async ({ records }) => {
  await using calendar = await createCalendar({ listen: false });
  const document = await (await calendar.fetch('/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).addSchema(document as object, 'api');
  const faults: string[] = [];
  for (const name of resourceNames) {
    const { kind } = resources[name];
    const validate = ajv.getSchema(`api#/components/schemas/${kind[0]!.toUpperCase()}${kind.slice(1)}`)!;
    for (const [id, { single, listed }] of records[name])
      for (const form of [single, listed])
        if (form) {
          if (!validate(form)) faults.push(...validate.errors!.map((error) => `${name} ${id} ${error.instancePath} ${error.message}`));
          faults.push(...compareResponse(form)!.problems.map(({ at, reason }) => `${name} ${id} ${at}: ${reason}`));
        }
  }
  expect(faults).toEqual([]);
});
