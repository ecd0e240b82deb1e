import { expect, it } from 'vitest';
import type { FaultInput } from '../../../src/model/operation-types.ts';
import { formatFaultLine, parseFaultLine } from '../../../src/model/operations/fault-line.ts';

it.each<[string, FaultInput]>([
  ['503:10%', { then: { status: 503 }, probability: 0.1 }],
  ['reset -X POST,PUT --path /events/*', { then: 'reset', match: { method: ['POST', 'PUT'], path: '/events/*' } }],
  ['calendar fault add 503 --every=3', { then: { status: 503 }, every: 3 }],
  ['--delay 100-300 --slow-body 2s', { delay: [100, 300], slow_body: 2000 }],
  ["429 --response-header 'Retry-After: 5' --times 3", { then: { status: 429, headers: { 'Retry-After': '5' } }, times: 3 }],
  ['200 --body \'{"a": "it"}\'', { then: { status: 200, body: { a: 'it' } } }],
  [
    'empty --at after --query search=*jazz* --query !page -H X-Test',
    {
      then: 'empty',
      at: 'after',
      match: { query: { search: '*jazz*', page: null }, headers: { 'X-Test': '*' } },
    },
  ],
])('the line %j is a fault, and its format is the same fault', (line, fault) => {
  const input = JSON.parse(JSON.stringify(parseFaultLine(line)));
  expect(input).toEqual(fault);
  expect(JSON.parse(JSON.stringify(parseFaultLine(formatFaultLine(input))))).toEqual(JSON.parse(JSON.stringify(parseFaultLine(line))));
});

it.each([
  ['nonsense', /Expected a status/],
  ['503 --color red', /Unknown option --color/],
  ['503 --times', /Missing value of --times/],
  ['503 --times x', /Expected a number/],
  ["503 --body 'x", /quotation mark/],
  ['503:10% --probability 5%', /either a share or --probability/],
  ['reset --body x', /require a status/],
  ['503:10%:5', /Expected a status or fault, and a share/],
  ["503 --response-header 'Retry-After'", /Expected a header like/],
  ['503 --at never', /Expected .* or .*, not "never"/],
  ['preamble', /preamble requires --body with a text/],
  ["query --body '[1]'", /query requires --body with a JSON object/],
  ['patch --body 5', /patch requires --body with a JSON object or a list of steps/],
])('the line %j is rejected', (line, message) => expect(() => parseFaultLine(line)).toThrow(message));
