import type { FixtureRecord } from '../../model/fixture.ts';
import { keyOf, readFixture, references } from '../../model/fixture.ts';
import { decodeChunks } from '../../model/text-source.ts';
import { didYouMean } from '../suggestion.ts';
import type { Import } from './intake.ts';
import { Intake } from './matching.ts';
import { plant } from './plant.ts';
import { parsedJson } from './seeds.ts';
import { problemsOf } from './transaction.ts';

/** Takes a JSON document in: an export, whose records keep their IDs, or a fixture, whose records go by their slugs. */
export function takeDocument({ desk, spool, tally, problems, done, options, empty }: Import): void {
  const document = parsedJson([...decodeChunks(spool.chunks(), options.encoding)].join(''), spool.name);
  const fixture = readFixture(document, problems, didYouMean);
  if (problems.length) return;
  if (options.only) fixture.records = fixture.records.filter(({ name }) => options.only!.includes(name));
  if (!empty) fixture.settings = {};
  if (fixture.records.some(isReferring) || fixture.users.length) {
    problems.push(...plant(desk, fixture, 'upsert', tally, done));
    return;
  }
  for (const [name, value] of Object.entries(fixture.settings)) desk.settings.set(name, value);
  const intake = new Intake(desk.fresh(), tally);
  for (const { name, path, input } of fixture.records) {
    try {
      intake.take(name, input);
    } catch (error) {
      problems.push(...problemsOf(error, path));
    }
    done(tally.total);
  }
  intake.finish();
}

/** Whether a record of a document stands under a key, or names another by one. */
const isReferring = ({ name, key, input }: FixtureRecord): boolean =>
  !/^[#[]/.test(key) || Object.keys(references[name]).some((field) => [input[field]].flat().some((value) => keyOf(value) !== undefined));
