import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { type Hooks, hookNames } from '../../server/hooks/functions.ts';
import { importModule } from './import-module.ts';

/** Loads the hooks of a module. Throws `bad-request` if it fails or exports something else. */
export async function loadHooks(file: string, folder: string): Promise<Hooks> {
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new Failure('not-found', `${file}: no such file`);
  const url = pathToFileURL(path).href;
  const functions = await importModule(url).catch((error: Error) => {
    throw new Failure('bad-request', `${file} failed to load: ${error.message}`);
  });
  const own = { ...('default' in functions ? (functions.default as object) : {}), ...functions };
  const exports = Object.entries(own).filter(([name]) => name !== 'default' && name !== 'module.exports' && name !== '__esModule');
  for (const [name, value] of exports) {
    if (!hookNames.includes(name))
      throw new Failure(
        'bad-request',
        `${file} exports ${JSON.stringify(name)}`,
        didYouMean(name, hookNames) ?? `Hooks: ${hookNames.join(', ')}.`,
      );
    if (typeof value !== 'function') throw new Failure('bad-request', `${file}: ${name} must be a function`);
  }
  if (exports.length === 0) throw new Failure('bad-request', `${file} exports no hook`, `Hooks: ${hookNames.join(', ')}.`);
  return { module: { file, path, url }, functions: Object.fromEntries(exports) };
}
