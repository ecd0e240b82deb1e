import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wholeServer } from '../support/whole-server.ts';

const png = readFileSync(new URL('../support/files/images/plain.png', import.meta.url));

it('an image of twenty megabytes is accepted and served, and a larger one is not', async () => {
  const server = await wholeServer({ media: mkdtempSync(join(tmpdir(), 'images-')) });
  const large = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);
  const upload = (body: Uint8Array | FormData, headers: Record<string, string> = {}) =>
    fetch(`${server.listening.url}/wp/v2/media`, { method: 'POST', body: body as FormData, headers });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(large(20 << 20))]), 'large.png');
  const made = await upload(form);
  const { source_url } = (await made.json()) as { source_url: string };
  const sizes = await Promise.all(Array.from({ length: 3 }, async () => (await (await fetch(source_url)).arrayBuffer()).byteLength));
  expect([made.status, sizes]).toEqual([201, [20 << 20, 20 << 20, 20 << 20]]);
  expect((await upload(large((20 << 20) + 1), { 'content-disposition': 'attachment; filename="larger.png"' })).status).toBe(413);
  await server.close();
});
