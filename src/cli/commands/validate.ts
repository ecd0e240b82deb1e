import { type Command, Option } from 'commander';
import { validateData } from '../../data/ingest/import.ts';
import type { Source } from '../../data/ingest/source.ts';
import type { ResponseReport } from '../../data/response-check.ts';
import { Failure } from '../../model/error.ts';
import { opensFor } from '../connect/operate.ts';
import { failureMessage, failureOf } from '../failure-message.ts';
import { addReading, type ReadingOptions, readingOf } from '../import-options.ts';
import { printProblems, runAndPrint } from '../print/summary.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';
import { clockOf } from '../terminal/terminal.ts';

const kinds = ['response', 'data'] as const;

interface ValidateOptions extends ReadingOptions {
  as?: (typeof kinds)[number];
}

/** A valid file, as JSON. */
interface Valid {
  file: string;
  as: (typeof kinds)[number];
  valid: true;
  /** Number of records; only for data. */
  records?: number;
  /** Members that the API also sends; only for responses. */
  missing?: string[];
}

/** `calendar validate`: checks data by importing it into a calendar in memory, and responses by the definitions of the API. */
export function build(command: Command, runner: Runner): void {
  addReading(command, '<file...>')
    .addOption(new Option('--as <kind>', 'Check a response of the API, or data to import (default: from the content)').choices(kinds))
    .option('--json', 'Output JSON')
    .action(runner.action((session, [names], options) => validateFiles(session, names as string[], options as ValidateOptions)));
}

async function validateFiles(session: Session, names: readonly string[], options: ValidateOptions): Promise<undefined> {
  const done: object[] = [];
  const failures: Failure[] = [];
  for (const name of names) {
    try {
      done.push(await validateFile(session, name, options));
    } catch (error) {
      if (names.length === 1 || error instanceof Interrupted) throw error;
      const failure = failureOf(error);
      failures.push(failure);
      const { code, message, data } = failure;
      done.push({ file: name, valid: false, code, message, ...(data.problems ? { problems: data.problems } : {}) });
      if (!options.json) session.terminal.stderr.write(failureMessage(failure, session.terminal.stderr, session.terminal.env));
    }
  }
  if (options.json) await session.print(`${JSON.stringify(names.length === 1 ? done[0] : done)}\n`);
  if (failures.length) throw new Failure('invalid-data', `${failures.length} of ${names.length} files are invalid`);
}

async function validateFile(session: Session, name: string, options: ValidateOptions): Promise<Valid> {
  const source = await opensFor(session)(name);
  try {
    const json = options.as === 'data' ? undefined : jsonIn(source);
    const { compareResponse, isResponse } = await import('../../data/response-check.ts');
    return (options.as ?? (isResponse(json) ? 'response' : 'data')) === 'response'
      ? await validateResponse(session, source, compareResponse(json), options)
      : await validateRecords(session, source, options);
  } finally {
    await source.end();
  }
}

/** Maximum size of a response, in bytes. */
const maxResponseBytes = 64 << 20;

/** The JSON object in a file; undefined for other or larger content. */
function jsonIn(source: Source): unknown {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const chunk of source.chunks()) {
    if (!chunks.length && !/^\ufeff?\s*\{/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(0, 1024))))
      return undefined;
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxResponseBytes) return undefined;
  }
  try {
    return JSON.parse(new TextDecoder().decode(Buffer.concat(chunks)));
  } catch {
    return undefined;
  }
}

/** Maximum number of missing members that a line names. */
const maxMissing = 8;

async function validateResponse(
  session: Session,
  { name }: Source,
  report: ResponseReport | undefined,
  { json }: ValidateOptions,
): Promise<Valid> {
  if (!report) throw new Failure('invalid-data', `${name} is not a response: neither a page, nor a record, nor an error`);
  const { kind, problems, missing } = report;
  if (!json) {
    await session.tell(`calendar: ${name} is a response: ${kind}`);
    await printProblems(session, problems);
    const more = missing.length > maxMissing ? ` and ${missing.length - maxMissing} more` : '';
    if (missing.length) await session.tell(`calendar: ${name}: The API also sends ${missing.slice(0, maxMissing).join(', ')}${more}`);
  }
  if (problems.length)
    throw new Failure(
      'invalid-data',
      `${name}: ${problems.length} ${problems.length === 1 ? 'value' : 'values'} that the API never sends`,
      'See docs/responses.md for examples.',
      { problems },
    );
  return { file: name, as: 'response', valid: true, missing };
}

async function validateRecords(session: Session, source: Source, options: ValidateOptions): Promise<Valid> {
  if (!options.json) await session.tell(`calendar: ${source.name} is data`);
  const now = clockOf(session.terminal, session.globals.now);
  const reading = await readingOf(session, options);
  const { total, notes } = await runAndPrint(session, 'importing', options, (more) =>
    validateData(source, { now, blocking: session.terminal.blocking }, { ...more, ...reading }),
  );
  if (!options.json) {
    await printProblems(session, notes);
    await session.tell(`calendar: ${source.name} is valid (${total} records)`);
  }
  return { file: source.name, as: 'data', valid: true, records: total };
}
