import * as z from 'zod';
import { answersIn } from '../../model/formats/answers.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { readFixture } from '../../model/formats/fixture.ts';
import { type FixtureRecord, keyOf, references } from '../../model/formats/references.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { parseJson } from '../json-position.ts';
import { labelOf } from '../record.ts';
import { CompleteRecords } from './complete-record.ts';
import { applyFixture } from './fixture.ts';
import type { ImportJob } from './options.ts';
import { repeatEvent } from './repeat.ts';
import { Responses } from './responses.ts';

/** Imports a JSON document: an export, a fixture or an API response. */
export function importJson(job: ImportJob): void {
  const { local, source, summary, options, empty } = job;
  const { problems } = summary;
  const document = parseJson([...decodeChunks(source.chunks(), options.encoding)].join(''), source.name);
  const answers = answersIn(document);
  if (answers) {
    new Responses(job).addAll(answers);
    return;
  }
  const fixture = readFixture(document, problems, z, local.settings.fields);
  if (problems.length && !options.lenient) return;
  for (const { name, path, input } of fixture.records)
    if (fixture.invalid.has(path))
      summary.add('skipped', name, labelOf(name, input) || path, undefined, { reason: fixture.invalid.get(path)!.reason });
  fixture.records = fixture.records.filter(({ path }) => !fixture.invalid.has(path));
  if (options.only) {
    fixture.records = fixture.records.filter(({ name }) => options.only!.includes(name));
    if (!options.only.some(hasDates)) fixture.series = [];
  }
  if (!empty) fixture.settings = {};
  if (fixture.records.some(usesKeys) || fixture.records.some(({ input }) => input.repeat !== undefined) || fixture.users.length) {
    applyFixture(local, fixture, 'import', summary, repeatEvent);
    return;
  }
  for (const [name, value] of Object.entries(fixture.settings)) local.settings.import(name, value);
  local.declare(fixture.fields);
  const records = new CompleteRecords(local.reload(), summary);
  for (const { name, path, input } of fixture.records) records.add(name, input, path);
  records.finish();
  for (const series of fixture.series) local.series.set(series);
}

/** Returns whether a record has a key or a reference to one. */
const usesKeys = ({ name, key, input }: FixtureRecord): boolean =>
  !/^[#[]/.test(key) || Object.keys(references[name]).some((field) => [input[field]].flat().some((value) => keyOf(value) !== undefined));
