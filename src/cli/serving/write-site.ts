import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, systemFailure } from '../../model/error.ts';
import { siteFilesFolder } from '../../model/web-page.ts';

/** A file to write, by its path in the folder. */
export interface SiteFile {
  path: string;
  content: string | Uint8Array;
  /** True for one that an app has too, which is kept. */
  yields?: boolean;
}

/** Lists the files that were written, with the hashes of their content. */
const listPath = `${siteFilesFolder}/site.json`;

export const contentHash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The hashes of files that were written before, by path; undefined if the folder is not one that was written. */
function writtenIn(folder: string): Record<string, string> | undefined {
  try {
    const { files } = JSON.parse(readFileSync(join(folder, listPath), 'utf8')) as { files: Record<string, string> };
    // Nothing outside of the folder is removed.
    return Object.fromEntries(
      Object.entries(files).filter(([path]) => /^(?:[\w.-]+\/)?[\w.-]+$/.test(path) && !/^\.\.?(\/|$)|\/\.\.?$/.test(path)),
    );
  } catch {
    return undefined;
  }
}

/** Throws `conflict` unless a folder is missing, empty, or was written before. */
export function checkSiteFolder(folder: string, force: boolean): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) throw new Failure('conflict', `${folder} is not a folder`, 'Choose another name.');
  if (force || readdirSync(folder).length === 0 || writtenIn(folder)) return;
  throw new Failure('conflict', `${folder} is not empty`, 'Choose another folder, or pass --force to add the site to its files.');
}

/**
 * Writes the files of a site to a folder, the last one last, which makes the others current, and removes those that were written before and are no longer needed. What was not written before,
 * or was changed since, stays; returns the paths of such files. A failure leaves the folder as it was, unless it comes while the last files are replaced: then its site is the old one.
 */
export function writeSite(folder: string, files: readonly SiteFile[]): string[] {
  const before = writtenIn(folder) ?? {};
  const place = (path: string) => join(folder, path);
  const isOurs = (path: string) =>
    before[path] !== undefined && existsSync(place(path)) && contentHash(readFileSync(place(path))) === before[path];
  const foreign = files.filter(({ path }) => existsSync(place(path)) && !isOurs(path));
  const isSame = ({ path, content }: SiteFile) => contentHash(readFileSync(place(path))) === contentHash(content);
  const refused = foreign.find((file) => !file.yields && !isSame(file));
  if (refused) throw new Failure('conflict', `${place(refused.path)} is another file`, 'Choose another folder, or remove that file.');
  const yielding = foreign.filter((file) => !isSame(file)).map(({ path }) => path);
  const own = files.filter(({ path }) => !yielding.includes(path));
  const list = JSON.stringify({ files: Object.fromEntries(own.map(({ path, content }) => [path, contentHash(content)])) }, null, 2);
  const end = `-${randomBytes(4).toString('hex')}.part`;
  const all = [...own.slice(0, -1), { path: listPath, content: `${list}\n` }, ...own.slice(-1)];
  const created = [folder, ...new Set(all.map(({ path }) => dirname(place(path))))].filter((each) => !existsSync(each));
  try {
    for (const { path, content } of all) {
      mkdirSync(dirname(place(path)), { recursive: true });
      writeFileSync(place(path) + end, content);
    }
    for (const { path } of all) renameSync(place(path) + end, place(path));
  } catch (error) {
    for (const { path } of all) rmSync(place(path) + end, { force: true });
    for (const each of created.reverse())
      try {
        rmdirSync(each);
      } catch {
        // It has files by now.
      }
    throw systemFailure(error, `cannot write ${folder}`);
  }
  for (const path of Object.keys(before)) if (!own.some((file) => file.path === path) && isOurs(path)) rmSync(place(path));
  return yielding;
}
