import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CheckReport } from '../../data/check/run.ts';
import { replaceFile } from '../../data/export.ts';
import { learn } from '../../data/shape/learn.ts';
import { compareShapes, type Shape, shapeForm, shapeText } from '../../data/shape/shape.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { remoteAt } from '../connect/sync.ts';
import { connectorOf } from '../connect/transport.ts';
import { count } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

interface LearnCommandOptions {
  output?: string;
  sample: number;
}

/** `calendar learn URL`: writes the shape of a site's responses, for `calendar check --like`. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the site, with or without the namespace')
    .option('-o, --output <file>', 'Write to a file instead of stdout')
    .option('--sample <n>', 'Records of each resource to read from lists, and again by ID', count, 20)
    .action(
      runner.action((session, [url], options) =>
        learnCommand(session, url as string | undefined, options as unknown as LearnCommandOptions),
      ),
    );
}

async function learnCommand(session: Session, url: string | undefined, { output, sample }: LearnCommandOptions): Promise<undefined> {
  const { shape, root } = await shapeAt(session, url, sample);
  const text = `${shapeText(shape)}\n`;
  if (output === undefined) return session.print(text) as Promise<undefined>;
  await replaceFile(resolve(session.terminal.cwd, output), [text], session.terminal.interrupted);
  await session.tell(`calendar: Wrote the shape of ${root} to ${output}`);
}

/** Compares a site with the shape in a file. */
export async function checkLike(session: Session, url: string | undefined, file: string): Promise<{ report: CheckReport; root: string }> {
  const before = await readShape(resolve(session.terminal.cwd, file), file);
  const { shape, root } = await shapeAt(session, url, before.sample, before);
  const results = compareShapes(before, shape).map(({ name, about, outcome, reason }) => ({
    check: { name, about, specification: file, run: async () => {} },
    outcome,
    reason,
    took: 0,
  }));
  return { report: { results, left: [] }, root };
}

async function shapeAt(session: Session, url: string | undefined, sample: number, like?: Shape): Promise<{ shape: Shape; root: string }> {
  const { root, authorization, headers } = await remoteAt(session, url);
  const site = await connectorOf(session.globals, session.terminal)(root, authorization, headers);
  const progress = progressOf(session.terminal, 'reading');
  try {
    return { shape: await learn(site, { sample, like, onProgress: progress.update }), root };
  } finally {
    progress.end();
    await site.close();
  }
}

/** Reads a shape. Throws if the file is missing or not a shape. */
async function readShape(path: string, file: string): Promise<Shape> {
  const text = await readFile(path, 'utf8').catch((error) => {
    throw systemFailure(error, file);
  });
  try {
    return shapeForm.parse(JSON.parse(text));
  } catch {
    throw new Failure('invalid-data', `${file} is not a shape of a site`, `Write one: calendar learn URL -o ${file}`);
  }
}
