import { didYouMean } from '../model/did-you-mean.ts';
import { DataError, dataFailure, Failure, type Problem } from '../model/error.ts';
import { decodeChunks } from '../model/formats/decode.ts';
import { type Fixture, readFixture } from '../model/formats/fixture.ts';
import { openSource, type SourceContext } from './import/source.ts';
import { parseJson } from './json-position.ts';

/** The seeds that come with the program. */
const seeds = {
  minimal: () => import('../../fixtures/minimal.json', { with: { type: 'json' } }),
  demo: () => import('../../fixtures/demo.json', { with: { type: 'json' } }),
  conference: () => import('../../fixtures/conference.json', { with: { type: 'json' } }),
  'edge-cases': () => import('../../fixtures/edge-cases.json', { with: { type: 'json' } }),
};

/** One phrase about each seed that comes with the program. */
export const seedNames: Record<keyof typeof seeds, string> = {
  minimal: 'one of everything',
  demo: 'a city’s calendar around today',
  conference: 'three days, five rooms, sixty talks',
  'edge-cases': 'zones, folds, long and odd texts, statuses, passwords',
};

/** Reads a fixture by the name of a seed, a path, an address, or `-` for standard input, along with the problems of its form. Fails when it cannot be read. */
export async function fixtureNamed(name: string, context: SourceContext): Promise<{ fixture: Fixture; problems: Problem[] }> {
  const problems: Problem[] = [];
  const document = name in seeds ? (await seeds[name as keyof typeof seeds]()).default : await documentAt(name, context);
  return { fixture: readFixture(document, problems, await import('zod')), problems };
}

async function documentAt(name: string, context: SourceContext): Promise<unknown> {
  const isPath = name === '-' || /[./\\]/.test(name);
  const source = await openSource(name, context).catch((error) => {
    if (isPath || !(error instanceof Failure) || error.code !== 'not-found') throw error;
    const hint = didYouMean(name, Object.keys(seeds)) ?? `Seeds are ${Object.keys(seeds).join(', ')}; a file is named by its path.`;
    throw new Failure('not-found', `there is no seed ${JSON.stringify(name)} and no file of that name`, {}, hint);
  });
  try {
    return parseJson([...decodeChunks(source.chunks())].join(''), source.name);
  } catch (error) {
    throw error instanceof DataError ? dataFailure(name, [{ at: error.at, reason: error.reason }]) : error;
  } finally {
    await source.end();
  }
}
