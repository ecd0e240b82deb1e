import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readSite } from '../../data/shape/sample.ts';
import { compareShapes, type Shape, shapeForm, shapeText } from '../../data/shape/shape.ts';
import { writeFileFrom } from '../../data/write-file.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { isBare, remoteAt, rootOf } from '../connect/sync.ts';
import { connectorOf } from '../connect/transport.ts';
import { choice, parseCount } from '../options.ts';
import { prettyLine, printReport, type ReportFormat, reportFormats } from '../print/check-report.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';
import { progressOf } from '../terminal/progress.ts';

interface ShapeOptions {
  output?: string;
  sample: number;
  compare?: string;
  format: ReportFormat;
}

/** `calendar shape URL`: writes the shape of a site's responses, or compares it with one in a file. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the site, with or without the namespace')
    .option('-o, --output <file>', 'Write to a file instead of stdout')
    .option('--sample <n>', 'Records of each resource to read from lists, and again by ID', parseCount, 20)
    .addOption(new Option('--compare <file>', 'Report what changed since this file was written').conflicts(['output', 'sample']))
    .addOption(choice('--format <format>', 'Output format with --compare', reportFormats).default('pretty'))
    .action(runner.action((session, [url], options) => shape(session, url as string | undefined, options as unknown as ShapeOptions)));
}

async function shape(session: Session, url: string | undefined, options: ShapeOptions): Promise<number | undefined> {
  const { output, compare, sample, format } = options;
  if (compare !== undefined) return compareShape(session, url, compare, format);
  const { shape, root } = await shapeAt(session, url, sample);
  const text = `${shapeText(shape)}\n`;
  if (output === undefined) return session.print(text) as Promise<undefined>;
  await writeFileFrom(resolve(session.terminal.cwd, output), [text], session.terminal.interrupted);
  await session.tell(`calendar: Wrote the shape of ${root} to ${output}`);
}

/** Compares a site with the shape in a file, reading a sample of the same size. Returns the exit code. */
async function compareShape(session: Session, url: string | undefined, file: string, format: ReportFormat): Promise<number> {
  const before = await readShape(resolve(session.terminal.cwd, file), file);
  const { shape, root } = await shapeAt(session, url, before.sample, before);
  const results = compareShapes(before, shape).map((result) => ({ ...result, specification: file, took: 0 }));
  if (format === 'pretty') for (const result of results) await session.print(prettyLine(result));
  return printReport(session, { results, left: [] }, root, format);
}

/** Throws {@link Interrupted} if the command is interrupted while it reads the site. */
async function shapeAt(session: Session, url: string | undefined, sample: number, before?: Shape): Promise<{ shape: Shape; root: string }> {
  const { interrupted } = session.terminal;
  const remote = await remoteAt(session, url);
  const connect = connectorOf(session.globals, session.terminal, isBare(session.globals, url));
  const site = await connect(await rootOf(remote), remote.authorization, remote.headers);
  const progress = progressOf(session.terminal, 'reading');
  try {
    const shape = await readSite(site, { sample, before, onProgress: progress.update });
    return { shape, root: site.root };
  } catch (error) {
    throw interrupted.aborted ? new Interrupted(String(interrupted.reason)) : error;
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
    throw new Failure('invalid-data', `${file} is not a shape of a site`, `Write one: calendar shape URL -o ${file}`);
  }
}
