import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeContexts, launched, noBrowser, type ServedPage, servedPage, violations, watched } from '../../support/browser.ts';
import type { Json } from '../../support/contract-server.ts';

const fileNamed = (name: string) => readFileSync(new URL(`../../support/files/images/${name}`, import.meta.url));

describe.skipIf(noBrowser)(`images on the page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  let browser: Browser;
  let calendar: ServedPage;
  let media: string;
  beforeAll(async () => {
    media = mkdtempSync(join(tmpdir(), 'images-'));
    [browser, calendar] = await Promise.all([launched(), servedPage('edge-cases', { media, posters: true })]);
  });
  afterAll(async () => {
    await Promise.all([closeContexts(browser), calendar?.close()]);
    rmSync(media, { recursive: true, force: true });
  });
  const json = async (path: string, body?: object) => {
    const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return (await (await fetch(`${calendar.root}${path}`, sent)).json()) as Json;
  };

  it.each(['baseline.jpg', 'plain.png', 'plain.gif', 'lossy.webp', 'plain.avif', 'transparent.avif'])(
    'an uploaded image has the size that the browser shows: %s',
    async (name) => {
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      const made = await fetch(`${calendar.url}/wp/v2/media`, { method: 'POST', headers, body: new Uint8Array(fileNamed(name)) });
      const { id } = (await made.json()) as { id: number };
      const dates = { start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' };
      const { url, image } = await json('/events', { title: name, image: String(id), ...dates });
      const { page, lines } = await watched(browser, url);
      const picture = page.locator('img.prose-picture');
      await picture.waitFor();
      const size = await picture.evaluate(async (element: Json) => {
        await element.decode();
        return [element.naturalWidth, element.naturalHeight];
      });
      expect([size, lines]).toEqual([[image.width, image.height], []]);
      await page.close();
    },
  );

  it('posters are well-formed, also of the strangest titles', async () => {
    const { events } = await json('/events?per_page=50&start_date=2000-01-01&end_date=2100-01-01');
    const { page, lines } = await watched(browser, events[0].url);
    const addresses = events.flatMap(({ image }: Json) => (image.id === 0 ? [image.url, image.sizes.thumbnail.url] : []));
    const broken = await page.evaluate(async (urls: string[]) => {
      const failed: string[] = [];
      for (const url of urls) {
        const picture = Object.assign(new (globalThis as Json).Image(), { src: url });
        await picture.decode().catch(() => failed.push(url));
      }
      return failed;
    }, addresses);
    expect([broken, lines]).toEqual([[], []]);
    await page.close();
  });

  it('a picture is uploaded in a form, by its button or dropped, with a preview', async () => {
    const { page, lines } = await watched(browser, `${calendar.url}/?new=event`);
    await page.getByText('More options').click();
    const field = page.getByLabel('Image', { exact: true });
    await page.getByLabel('Upload').setInputFiles({ name: 'plain.png', mimeType: 'image/png', buffer: fileNamed('plain.png') });
    await expect.poll(() => field.inputValue()).toMatch(/\/wp-content\/uploads\/.*\.png$/);
    await page.getByAltText('Preview of Image').waitFor();
    expect(await violations(page)).toEqual([]);
    const gif = fileNamed('plain.gif').toString('base64');
    const transfer = await page.evaluateHandle(`(() => {
      const t = new DataTransfer();
      t.items.add(new File([Uint8Array.from(atob('${gif}'), (each) => each.charCodeAt(0))], 'plain.gif', { type: 'image/gif' }));
      return t;
    })()`);
    await page.dispatchEvent('.control-image', 'drop', { dataTransfer: transfer });
    await expect.poll(() => field.inputValue()).toMatch(/\.gif$/);
    expect(lines).toEqual([]);
    await page.close();
  });

  it('a form shows no poster as the image of a record', async () => {
    const dates = { start_date: '2026-12-01 10:00', end_date: '2026-12-01 11:00' };
    const { url } = await json('/events', { title: 'Plain', ...dates });
    const { page, lines } = await watched(browser, `${url}?edit=true`);
    expect([await page.getByLabel('Title').inputValue(), await page.getByLabel('Image').inputValue(), lines]).toEqual(['Plain', '', []]);
    await page.close();
  });
});
