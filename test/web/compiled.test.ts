import { expect, it } from 'vitest';
import { failures } from '../../src/model/failures.ts';
import { sizeOf } from '../../src/server/http.ts';
import { encode } from '../../src/server/listener.ts';
import { compress } from '../../src/server/seal.ts';
import { compileApp, ownFailures } from '../../src/web/compile.ts';

const { files, metafile } = await compileApp();
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** Returns the size of a file in KB as the server sends it, with the coding that makes it larger. */
async function kbOf({ name, bytes }: (typeof files)[number]): Promise<number> {
  const type = name.endsWith('.js') ? 'text/javascript' : 'text/css';
  const file = { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8` }, body: [bytes] };
  const responses = await Promise.all(['gzip', 'br'].map((coding) => compress(file, coding, encode)));
  return Math.max(...responses.map(({ body }) => sizeOf(body))) / 1024;
}

it('the page contains no schemas and unused parts of the model', () => {
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput ? [path] : [])),
  );
  expect(used.filter((path) => /zod|model\/(resources|operations\/(all|data|operation))/.test(path))).toEqual([]);
});

it('the page contains the failures that its script throws', () => {
  const text = textOf(files.find(({ name }) => name.endsWith('.js'))!.bytes);
  const codes = [...text.matchAll(/new [\w$]+\("([\w-]+)",/g)].map(([, code]) => code!).filter((code) => Object.hasOwn(failures, code));
  expect(codes.length).toBeGreaterThan(0);
  expect(Object.keys(ownFailures)).toEqual(expect.arrayContaining(codes));
});

it('the page is one script of at most 87 KB and one style sheet of at most 11 KB, compressed', async () => {
  expect(files.map(({ name }) => name.replace(/-\w+\./, '.')).sort()).toEqual(['main.css', 'main.js']);
  const maxKb: Record<string, number> = { js: 87, css: 11 };
  const sizes = await Promise.all(files.map(async (file) => ({ name: file.name, kb: await kbOf(file) })));
  expect(sizes.filter(({ name, kb }) => kb > maxKb[name.split('.').pop()!]!)).toEqual([]);
});
