import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npm } from '../../build/runtime.ts';

/** The content of package.json. */
export const project: {
  name: string;
  version: string;
  bin: Record<string, string>;
  exports?: Record<string, unknown>;
  scripts: Record<string, string>;
} = JSON.parse(readFileSync('package.json', 'utf8'));

/** The package that users install: `npm pack` of the build. */
export interface Packed {
  tarball: string;
  /** The files in it, as paths below the package's folder. */
  files: string[];
  /** Bytes, compressed and not. */
  size: number;
  unpackedSize: number;
}

/** Packs the package into a folder. Fails where it was not built. */
export async function pack(folder: string): Promise<Packed> {
  if (!existsSync('dist/calendar.js')) throw new Error('run npm run build first: it makes what is packed');
  // What prepack builds already exists; to build it now would disturb tests that run beside.
  const [{ filename, files, size, unpackedSize }] = JSON.parse(
    await npm(process.cwd(), ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]),
  );
  return { tarball: resolve(folder, filename), files: files.map(({ path }: { path: string }) => path), size, unpackedSize };
}

/** Installs a tarball into a folder that is made for it, without asking any registry: it has no dependencies. Gives the folder of the package. */
export async function install(tarball: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await npm(folder, ['install', '--offline', '--no-package-lock', tarball]);
  return join(folder, 'node_modules', project.name);
}
