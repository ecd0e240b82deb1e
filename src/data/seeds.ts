import { didYouMean } from '../model/did-you-mean.ts';
import { Failure, type Problem } from '../model/error.ts';
import { base64Text, concatBytes } from '../model/formats/bytes.ts';
import type { Fixture } from '../model/formats/fixture.ts';
import { answersIn } from '../model/formats/ndjson.ts';
import type { SeedFile } from '../model/operation-types.ts';
import { isSeed, type SeedName } from '../model/operations/formats.ts';
import type { Declarations } from '../model/resources/declared.ts';
import { detectFormat, type OpenSource, textIn } from './ingest/source.ts';
import { parseJson } from './json-position.ts';

/** Built-in seeds. */
const seeds: Record<SeedName, () => Promise<{ default: unknown }>> = {
  minimal: () => import('../../fixtures/minimal.json', { with: { type: 'json' } }),
  demo: () => import('../../fixtures/demo.json', { with: { type: 'json' } }),
  shapes: () => import('../../fixtures/shapes.json', { with: { type: 'json' } }),
  conference: () => import('../../fixtures/conference.json', { with: { type: 'json' } }),
  'edge-cases': () => import('../../fixtures/edge-cases.json', { with: { type: 'json' } }),
};

/** A fixture that has not been validated yet, or the content of another file. */
export interface FixtureDocument {
  /** Name for messages. */
  name: string;
  document: unknown;
  /** True for a built-in seed, which tests validate. */
  isValid?: boolean;
}

/** Throws `not-found`. */
export async function seedNamed(name: string): Promise<FixtureDocument> {
  if (!isSeed(name)) throw new Failure('not-found', `Unknown seed ${JSON.stringify(name)}`, seedHint(name));
  return { name, document: (await seeds[name]()).default, isValid: true };
}

/** The seed with a name, or a fixture or file in a request. Throws `not-found`. */
export const seedOf = async (seed: string | object, name = 'the fixture'): Promise<FixtureDocument> =>
  typeof seed === 'string' ? seedNamed(seed) : { name, document: seed };

/** Reads a seed: a built-in one, or what `open` opens and imports read. Throws if it cannot be read. */
export const documentNamed = (name: string, open: OpenSource): Promise<FixtureDocument> =>
  isSeed(name) ? seedNamed(name) : documentAt(name, open);

/** Parses a fixture and returns it with the problems of its structure. */
export async function fixtureOf(
  { document, isValid = false }: FixtureDocument,
  declared: Declarations = {},
): Promise<{ fixture: Fixture; problems: Problem[] }> {
  const [{ readFixture }, zod] = await Promise.all([import('../model/formats/fixture.ts'), isValid ? undefined : import('zod')]);
  const problems: Problem[] = [];
  return { fixture: readFixture(document, problems, zod, declared), problems };
}

const seedHint = (name: string): string =>
  didYouMean(name, Object.keys(seeds)) ?? `Seeds: ${Object.keys(seeds).join(', ')}. For a file, pass its path.`;

async function documentAt(name: string, open: OpenSource): Promise<FixtureDocument> {
  const isPath = name === '-' || /[./\\]/.test(name);
  const source = await open(name).catch((error) => {
    if (isPath || !(error instanceof Failure) || error.code !== 'not-found') throw error;
    throw new Failure('not-found', `No seed or file has the name ${JSON.stringify(name)}`, seedHint(name));
  });
  try {
    const document = detectFormat(source) === 'json' && parseJson(textIn(source), source.name);
    // The response of a site and a plain list are JSON, too, which only an import reads.
    if (document && !Array.isArray(document) && !answersIn(document)) return { name, document };
    const file: SeedFile = { name, base64: base64Text(concatBytes([...source.chunks()])) };
    return { name, document: file };
  } finally {
    await source.end();
  }
}
