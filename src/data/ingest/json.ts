import * as z from 'zod';
import { answersIn } from '../../model/formats/answers.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { readFixture } from '../../model/formats/fixture.ts';
import { type FixtureRecord, keyOf, references } from '../../model/formats/references.ts';
import { applyFixture } from '../apply-fixture.ts';
import { parseJson } from '../json-position.ts';
import { labelOf } from '../record.ts';
import { problemsOf } from '../transaction.ts';
import { AnswerImporter } from './answers.ts';
import { Identities } from './identities.ts';
import type { ImportJob } from './options.ts';
import { Upsert } from './upsert.ts';

/** Imports a JSON document: an export, a fixture, or what an API answers. */
export function importJson(job: ImportJob): void {
  const { local, source, summary, options, empty } = job;
  const { problems } = summary;
  const document = parseJson([...decodeChunks(source.chunks(), options.encoding)].join(''), source.name);
  const answers = answersIn(document);
  if (answers) {
    new AnswerImporter(job).importAll(answers);
    return;
  }
  const fixture = readFixture(document, problems, z);
  if (problems.length && !options.lenient) return;
  for (const { name, path, input } of fixture.records)
    if (fixture.faulty.has(path)) summary.add('skipped', name, labelOf(name, input) || path, undefined, fixture.faulty.get(path)!.reason);
  fixture.records = fixture.records.filter(({ path }) => !fixture.faulty.has(path));
  if (options.only) fixture.records = fixture.records.filter(({ name }) => options.only!.includes(name));
  if (!empty) fixture.settings = {};
  if (fixture.records.some(usesKeys) || fixture.users.length) {
    problems.push(...applyFixture(local, fixture, new Identities(local), summary));
    return;
  }
  for (const [name, value] of Object.entries(fixture.settings)) local.settings.set(name, value);
  const upsert = new Upsert(local.reload(), summary);
  for (const { name, path, input } of fixture.records) {
    try {
      upsert.record(name, input, path);
    } catch (error) {
      summary.refuse(name, labelOf(name, input), problemsOf(error, path));
    }
  }
  upsert.finish();
}

/** Whether a record has a key, or refers to another by its key. */
const usesKeys = ({ name, key, input }: FixtureRecord): boolean =>
  !/^[#[]/.test(key) || Object.keys(references[name]).some((field) => [input[field]].flat().some((value) => keyOf(value) !== undefined));
