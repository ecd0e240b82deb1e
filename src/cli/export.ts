import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { headingsOf } from '../model/csv-record.ts';
import { Failure } from '../model/error.ts';
import { type ResourceName, resourceNames } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { owner } from '../model/viewer.ts';
import { openFile } from './connect.ts';
import { type DataFormat, formats, written } from './data/out.ts';
import { oneOf } from './options.ts';
import { progressOf } from './progress.ts';
import type { Session, Shell } from './shell.ts';
import { didYouMean } from './suggestion.ts';
import { type Output, write } from './terminal.ts';

interface ExportOptions {
  format?: DataFormat;
  only?: ResourceName[];
  fields?: string[];
  output?: string;
}

/** `calendar export`: the whole calendar, as a file that `calendar import` takes. */
export function build(command: Command, shell: Shell): void {
  command
    .addOption(new Option('--format <format>', `${formats.join(', ')}; by the name of the file, else json`).argParser(oneOf(formats)))
    .addOption(
      new Option('--only <resources>', 'some resources only, with commas; csv has one, events unless told').argParser(resourceList),
    )
    .addOption(
      new Option('--fields <names>', 'the columns of csv, with commas').argParser((text) => text.split(',').map((name) => name.trim())),
    )
    .addOption(new Option('-o, --output <file>', 'write there, not to stdout'))
    .action(shell.action((session, _args, options) => exportData(session, options as ExportOptions)));
}

/** Names of resources, with commas. */
export function resourceList(text: string): ResourceName[] {
  return text.split(',').map((part) => {
    const name = resourceNames.find((known) => known === part.trim());
    if (!name) throw new InvalidArgumentError(didYouMean(part.trim(), resourceNames) ?? `It takes some of ${resourceNames.join(', ')}.`);
    return name;
  });
}

async function exportData(session: Session, options: ExportOptions): Promise<undefined> {
  const format = options.format ?? formatOf(options.output) ?? 'json';
  const names = options.only ?? (format === 'csv' ? ['events'] : [...resourceNames]);
  check(format, names, options);
  const store = await openFile(session.globals, session.terminal, 'read');
  const progress = progressOf(session.terminal, 'exporting');
  try {
    const home = store.settings.get('home');
    const pieces = written(store.desk(owner, { home, root: home }), format, names, options.fields);
    if (options.output === undefined) await pour(pieces, session.terminal.stdout, session, progress.at);
    else await toFile(pieces, resolve(session.terminal.cwd, options.output), session, progress.at);
  } finally {
    progress.end();
    await store.close();
  }
}

const formatOf = (file: string | undefined): DataFormat | undefined =>
  formats.find((format) => file !== undefined && extname(file) === `.${format}`);

function check(format: DataFormat, names: ResourceName[], { fields, only }: ExportOptions): void {
  if (format === 'csv' && names.length > 1)
    throw new Failure('bad-request', 'a csv file holds one resource', {}, 'Say which with --only venues.');
  if (format === 'ics' && only?.some((name) => name !== 'events')) throw new Failure('bad-request', 'an ics file holds events only');
  if (fields && format !== 'csv') throw new Failure('bad-request', '--fields is for csv: the other formats are complete');
  const known = headingsOf(resources[names[0]!]);
  for (const field of fields ?? [])
    if (!known.includes(field))
      throw new Failure('bad-request', `${names[0]} have no field ${JSON.stringify(field)}`, {}, didYouMean(field, known));
}

/** Writes pieces as they come, no faster than they are taken. */
async function pour(pieces: Iterable<string>, output: Output, { terminal }: Session, at: (count: number) => void): Promise<void> {
  let waiting = '';
  let count = 0;
  for (const piece of pieces) {
    waiting += piece;
    at(++count);
    if (waiting.length < 65_536) continue;
    terminal.interrupted.throwIfAborted();
    await write(output, waiting);
    waiting = '';
  }
  await write(output, waiting);
}

/** Writes a file that is there whole or not at all. */
async function toFile(pieces: Iterable<string>, file: string, session: Session, at: (count: number) => void): Promise<void> {
  const unfinished = `${file}.part`;
  const stream = createWriteStream(unfinished);
  stream.on('error', () => {});
  try {
    await pour(pieces, stream, session, at);
    await new Promise<void>((done, fail) => stream.end((error?: Error | null) => (error ? fail(error) : done())));
    await rename(unfinished, file);
  } catch (error) {
    stream.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
}
