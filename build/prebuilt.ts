import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { operationCalls } from '../src/client/operation-calls.ts';
import { openApiExamples } from '../src/data/examples.ts';
import { seedImage } from '../src/data/seed-image.ts';
import { type SeedName, seedNames } from '../src/model/operations/formats.ts';
import { families } from '../src/model/resources/families.ts';
import { controlDocument } from '../src/server/openapi/control.ts';
import { emptyCalendar } from '../src/store/empty-calendar.ts';

/** Functions of a build that store an asset and return the expression for the code that uses it. */
export interface Assets {
  /** The expression for the bytes, in a function that may wait for them. */
  bytes(name: string, bytes: Uint8Array): string;
  /** The expression for data, in a function that can't wait. */
  json(name: string, data: unknown): string;
}

/** Makes what is computed once an asset: the empty calendar, seeds, fixtures and the unchanging parts of `/openapi.json`; and inlines what clients know about resources and operations. */
export const prebuilt = ({ bytes, json }: Assets): Plugin => ({
  name: 'prebuilt',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]store[\\/]empty-calendar\.ts$/ }, async () => ({
      contents: `let calendar; export const emptyCalendar = async () => (calendar ??= ${bytes('empty.db', await emptyCalendar())});`,
    }));
    onLoad({ filter: /[\\/]src[\\/]data[\\/]seed-image\.ts$/ }, async () => {
      const images = (Object.keys(seedNames) as SeedName[]).map(async (name) => {
        const { bytes: image, ...rest } = await seedImage(name);
        const dates = bytes(`${name}-dates.json`, Buffer.from(JSON.stringify(rest)));
        return `'${name}': async () => ({ bytes: ${bytes(`${name}.image`, image)}, ...JSON.parse(new TextDecoder().decode(${dates})) })`;
      });
      return {
        contents: `const images = { ${(await Promise.all(images)).join(', ')} }; export const seedImage = async (name) => images[name]();`,
      };
    });
    onLoad({ filter: /[\\/]src[\\/]model[\\/]resources[\\/]families\.ts$/ }, () => ({
      contents: `export const families = ${JSON.stringify(families)};`,
    }));
    onLoad({ filter: /[\\/]src[\\/]server[\\/]openapi[\\/]control\.ts$/ }, () => ({
      contents: `export const controlDocument = () => ${json('control.json', controlDocument())};`,
    }));
    onLoad({ filter: /[\\/]src[\\/]data[\\/]examples\.ts$/ }, async () => ({
      contents: `let examples; export const openApiExamples = async () => (examples ??= ${json('examples.json', await openApiExamples())});`,
    }));
    onLoad({ filter: /[\\/]src[\\/]client[\\/]operation-calls\.ts$/ }, () => ({
      contents: `export const operationCalls = ${JSON.stringify(operationCalls)};`,
    }));
    // Its scripts, exports and dependencies are not used.
    onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
      if (path !== join(process.cwd(), 'package.json')) return;
      const { name, version, description, license, homepage, repository, bugs, engines } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ name, version, description, license, homepage, repository, bugs, engines }), loader: 'json' };
    });
    onLoad({ filter: /[\\/]fixtures[\\/][\w-]+\.json$/ }, ({ path }) => ({
      contents: `export default ${json(basename(path), JSON.parse(readFileSync(path, 'utf8')))};`,
    }));
  },
});
