import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import project from '../../package.json' with { type: 'json' };
import { systemReason } from '../model/error.ts';
import { toHar } from '../model/formats/har.ts';
import type { CoverageReport } from '../model/operation-types.ts';

type Requests = Parameters<typeof toHar>[0];

export const archiveOf = (requests: Requests): string => JSON.stringify(toHar(requests, project.version));

/** Writes the requests of a failed test or command to a folder, and `more` files beside them. Returns a line that names the archive, or says why there is none: that changes no result. */
export async function keepRequests(
  folder: string,
  name: string,
  requests: Requests,
  more = async (_folder: string): Promise<string> => '',
): Promise<string> {
  return keep('requests', resolve(folder, name), archiveOf(requests), more);
}

/** Writes what clients met to a folder; the same as {@link keepRequests}. */
export const keepCoverage = (folder: string, report: CoverageReport): Promise<string> =>
  keep('coverage', resolve(folder, 'coverage.json'), `${JSON.stringify(report, null, 2)}\n`);

async function keep(
  what: 'requests' | 'coverage',
  file: string,
  text: string,
  more = async (_folder: string): Promise<string> => '',
): Promise<string> {
  try {
    await createFolder(dirname(file));
    await writeFile(file, text);
    return `${what}: ${file}${await more(dirname(file))}`;
  } catch (error) {
    const { path = file } = error as NodeJS.ErrnoException;
    return `${what} ${what === 'requests' ? 'are' : 'is'} not kept: ${path}: ${systemReason(error as NodeJS.ErrnoException)}`;
  }
}

/** Creates a folder and those above it. A recursive mkdir of Node reports a missing folder on a read-only file system, and does not end in some others. */
async function createFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT') throw error;
    await createFolder(dirname(path));
    await mkdir(path);
  });
}
