import { createHash } from 'node:crypto';
import type { PageFile, WebPage } from '../model/web-page.ts';
import { assets } from './assets.ts';
import { pageOf } from './document.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="6" fill="#0b6e69"/><path d="M3 12h26" stroke="#fff" stroke-width="2"/><path d="M10 2v6M22 2v6" stroke="#0b6e69" stroke-width="3" stroke-linecap="round"/><rect x="17" y="17" width="7" height="7" rx="2" fill="#fff"/></svg>';

const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };

const toFile = (name: string, bytes: Uint8Array): PageFile => ({
  name,
  type: types[name.split('.').pop() as keyof typeof types],
  bytes,
});

/** Loads the page: its files and its document. */
export async function webPage(): Promise<WebPage> {
  const hash = createHash('sha256').update(icon).digest('hex').slice(0, 12);
  const compiled = (await assets()).map(({ name, bytes }) => toFile(name, bytes));
  return pageOf([...compiled, toFile(`icon-${hash}.svg`, Buffer.from(icon))]);
}
