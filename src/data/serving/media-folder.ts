import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure, failureCodeOf, systemReason } from '../../model/error.ts';
import { uploadName } from '../../model/images/image.ts';
import type { ImageFiles } from '../../server/http.ts';
import { replaceFile } from '../../store/file/files.ts';

/** Age after which an incomplete file is not that of a running server, in ms. */
const abandonedAfterMs = 3_600_000;

/** Ends of the names of incomplete files. */
const incomplete = /\.[a-z]+-[\da-f]{8}$/;

/** Creates the folder of uploaded images, unless it exists, and removes incomplete files that a crash left. Throws `bad-request` if it can't be used. */
export async function imagesIn(folder: string): Promise<ImageFiles> {
  try {
    await createFolder(folder);
    for (const name of await readdir(folder)) {
      const [path, complete] = [join(folder, name), name.replace(/-[\da-f]{8}$/, '')];
      if (!incomplete.test(name) || !uploadName.test(complete)) continue;
      if (Date.now() - (await stat(path)).mtimeMs > abandonedAfterMs) await rm(path, { force: true });
    }
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    const why = fault.code === 'ENOTDIR' ? 'it is not a folder' : systemReason(fault);
    throw new Failure('bad-request', `Can't store images in ${folder}: ${why}`, 'Pass the path of a folder to --media.');
  }
  return new MediaFolder(folder);
}

/** Creates a folder and those above it. The recursive mkdir of node never ends for a path in /proc. */
async function createFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await createFolder(dirname(folder));
  await mkdir(folder);
}

function failureOf(error: unknown, what: string): Failure {
  const code = failureCodeOf((error as NodeJS.ErrnoException).code ?? '');
  const isOfDisk = code === 'store-full' || code === 'store-read-only';
  return new Failure(
    isOfDisk ? code : 'store-io',
    `${what}: ${systemReason(error as NodeJS.ErrnoException)}`,
    'Check the folder of --media.',
  );
}

/** The folder of uploaded images. A name contains a hash of the content, so a file never changes. */
class MediaFolder implements ImageFiles {
  /** Requests for the same file at the same time share its bytes. */
  readonly #loaded = new Map<string, WeakRef<Uint8Array>>();

  constructor(private readonly folder: string) {}

  async load(name: string): Promise<Uint8Array | undefined> {
    if (!uploadName.test(name)) return undefined;
    const loaded = this.#loaded.get(name)?.deref();
    if (loaded) return loaded;
    try {
      const bytes = await readFile(join(this.folder, name));
      this.#loaded.set(name, new WeakRef(bytes));
      return bytes;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw failureOf(error, `Cannot read the image ${name}`);
    }
  }

  async save(name: string, bytes: Uint8Array): Promise<void> {
    if (!uploadName.test(name)) throw new Error(`invalid name of an image: ${name}`);
    try {
      await replaceFile(join(this.folder, name), [bytes]);
    } catch (error) {
      throw failureOf(error, `Cannot store the image ${name}`);
    }
  }
}
