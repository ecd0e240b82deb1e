import { Failure } from '../../model/error.ts';
import { type Fixture, readFixture } from '../../model/fixture.ts';
import { DataError, type Problem } from '../../model/problem.ts';
import { decodeChunks } from '../../model/text-source.ts';
import { didYouMean } from '../suggestion.ts';
import type { Terminal } from '../terminal.ts';
import { spoolOf } from './spool.ts';

/** The seeds that come with the program. */
const named = {
  minimal: () => import('../../../fixtures/minimal.json', { with: { type: 'json' } }),
  demo: () => import('../../../fixtures/demo.json', { with: { type: 'json' } }),
  conference: () => import('../../../fixtures/conference.json', { with: { type: 'json' } }),
  'edge-cases': () => import('../../../fixtures/edge-cases.json', { with: { type: 'json' } }),
};

/** What the seeds that come with the program are for. */
export const seedNames: Record<keyof typeof named, string> = {
  minimal: 'one of everything',
  demo: 'a city’s calendar around today',
  conference: 'three days, five rooms, sixty talks',
  'edge-cases': 'zones, folds, long and odd texts, statuses, passwords',
};

/** A fixture by the name of a seed, a path, or `-` for standard input; with what is wrong with its form. */
export async function fixtureNamed(name: string, terminal: Terminal): Promise<{ fixture: Fixture; problems: Problem[] }> {
  const problems: Problem[] = [];
  const document = name in named ? (await named[name as keyof typeof named]()).default : await documentAt(name, terminal);
  return { fixture: readFixture(document, problems, didYouMean), problems };
}

async function documentAt(name: string, terminal: Terminal): Promise<unknown> {
  const isPath = name === '-' || /[./\\]/.test(name);
  const spool = await spoolOf(name, terminal, { timeout: 30_000 }).catch((error) => {
    if (isPath || !(error instanceof Failure) || error.code !== 'not-found') throw error;
    const hint = didYouMean(name, Object.keys(named)) ?? `Seeds are ${Object.keys(named).join(', ')}; a file is named by its path.`;
    throw new Failure('not-found', `there is no seed ${JSON.stringify(name)} and no file of that name`, {}, hint);
  });
  try {
    return parsedJson([...decodeChunks(spool.chunks())].join(''), spool.name);
  } finally {
    await spool.end();
  }
}

/** JSON as a value. Fails with the line and column where it stops being JSON. */
export function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = brokenAt(text);
    const before = text.slice(0, end).split('\n');
    const at = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    const reason =
      end === text.length
        ? 'the text ends in the middle'
        : (error as Error).message.replace(/( in JSON)? at position \d+.*$|, .*is not valid JSON$/s, '');
    throw new Failure('rest_invalid_json', `${name} is not JSON: ${at}: ${reason}`, { problems: [{ at: `is not JSON: ${at}`, reason }] });
  }
}

/** Where a text stops being the beginning of some JSON: the engine does not always tell. */
function brokenAt(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message);
    return /Unexpected end|Unterminated string/.test(message) || (position !== null && Number(position[1]) >= text.length);
  }
}

/** A problem that a reader ended with, as a failure. */
export function failureFrom(error: unknown, name: string): unknown {
  return error instanceof DataError
    ? new Failure('rest_invalid_param', `${name}: ${error.at}: ${error.reason}`, { problems: [{ at: error.at, reason: error.reason }] })
    : error;
}
