import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { Server, type Setup } from '../support/contract-server.ts';

it.each<[string, Setup]>([
  ['of the API', {}],
  ['with the control API', { handler: { control: 'everyone' } }],
])('the document %s breaks no rule of Redocly', async (_, setup) => {
  const server = new Server('in process', setup);
  await server.open();
  const source = JSON.stringify(await server.get('/openapi.json'));
  await server.close();
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});
