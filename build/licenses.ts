import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Metafile } from 'esbuild';

/** Licenses that only require their text to be included. */
const free = ['0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * Packages under another license, with its further requirement. The Mozilla license allows a file in a program under any license, if the file
 * stays under it and its source is named.
 */
const others: Record<string, { license: string; duty: string }> = {
  'ical.js': {
    license: 'MPL-2.0',
    duty: 'Its files are used as they are; their source is at https://github.com/kewisch/ical.js and in its package.',
  },
};

export function packagesIn(...metafiles: Metafile[]): Set<string> {
  const packages = new Set<string>();
  for (const { inputs } of metafiles.flatMap(({ outputs }) => Object.values(outputs)))
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input.split(sep).join('/'))?.[1];
      if (folder && bytesInOutput > 0) packages.add(folder);
    }
  return packages;
}

/** Throws for a license that is not allowed. */
export function noticeOf(folder: string): string {
  const { name, version, license, homepage, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const duty = Object.hasOwn(others, name) && others[name]!.license === license ? others[name]!.duty : undefined;
  if (duty === undefined && !free.includes(license)) throw new Error(`${name} is under ${license ?? 'no license that it names'}`);
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry) && statSync(join(folder, entry)).isFile());
  if (!file && license !== 'MIT') throw new Error(`${name} brings no text of its license`);
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : mit(author);
  return [`${name} ${version} (${license})`, homepage && `\n${homepage}`, duty && `\n${duty}`, `\n\n${text}\n`].filter(Boolean).join('');
}

const rule = `\n${'-'.repeat(80)}\n\n`;

export const noticesOf = (folders: Iterable<string>): string =>
  `The bundle dist/calendar.js holds code of these packages.\n${rule}${[...new Set([...folders].sort().map(noticeOf))].join(rule)}`;

/** The license text of a package that names its license and owner but doesn't include the text. */
const mit = (author: string) => `MIT License

Copyright (c) ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
