import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as WebLibrary from '../../bin/web.ts';
import { buildWebLibrary } from '../../build/library-web.ts';

type Files = ReadonlyMap<string, Buffer>;

let building: Promise<Files> | undefined;

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'web-library-'));

/** Builds `local-calendar/web` once per process. Returns its files by name. */
export function webLibraryFiles(): Promise<Files> {
  building ??= build(temporaryFolder());
  return building;
}

async function build(folder: string): Promise<Files> {
  await buildWebLibrary(folder);
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

/** Writes the files of `local-calendar/web` to a folder, which is deleted at the end of a file of tests. */
export async function builtWebLibrary(): Promise<string> {
  const files = await webLibraryFiles();
  const folder = temporaryFolder();
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  return folder;
}

/** Returns what opens a calendar of the web build in Node. */
export async function webLibrary(): Promise<(typeof WebLibrary)['createCalendar']> {
  const folder = await builtWebLibrary();
  const { createCalendar }: typeof WebLibrary = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'single.mjs')).href);
  const wasm = readFileSync(join(folder, 'sqlite.wasm'));
  return (options) => createCalendar({ wasm, ...options });
}
