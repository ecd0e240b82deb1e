import { pathInFolder } from '../../model/addresses.ts';
import { utf8Bytes } from '../../model/formats/bytes.ts';
import { textToHtml } from '../../model/html/sanitize.ts';
import { siteType } from '../../model/resources/post.ts';
import { anonymous } from '../../model/viewer.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';
import { noRoute } from './addresses.ts';

/** Maximum number of addresses in a sitemap, as in WordPress. */
const maxUrls = 2000;

/** Paths of WordPress' index, of its sitemaps, and of those of a widespread extension. */
const paths = /^\/(?:wp-sitemap|wp-sitemap-posts-(\w+)-([1-9]\d{0,5})|(\w+)-sitemap([1-9]\d{0,5})?)\.xml$/;

export const isSitemapPath = (path: string): boolean => paths.test(path);

/** The sitemap of the published events, in the form of WordPress: by ID, with the date of the last change; or the index of sitemaps. */
export async function sitemap(call: Call): Promise<Result> {
  const { service, site, request, options } = call;
  const { events } = service.resources();
  const type = siteType(events.page, site);
  const [, ownType, page = '1', otherType, otherPage = page] = paths.exec(pathInFolder(request.path, options.basePath))!;
  const kind = ownType ?? otherType;
  if (kind !== undefined && kind !== type) throw noRoute(call, `The sitemap of events is at ${site.home}/wp-sitemap-posts-${type}-1.xml`);
  const query = { start_date: '1000-01-01', end_date: '9999-12-31', status: 'publish' };
  const all = [...service.calendar(anonymous, site).events.listAll!(query, new Set(['id', 'url', 'modified_utc']), true)];
  all.sort((a, b) => a.id - b.id);
  const count = Math.max(1, Math.ceil(all.length / maxUrls));
  if (Number(otherPage) > count) throw noRoute(call, `The last sitemap of events has the number ${count}`);
  const root = kind === undefined ? 'sitemapindex' : 'urlset';
  const items =
    kind === undefined
      ? Array.from(
          { length: count },
          (_, at) => `<sitemap><loc>${textToHtml(`${site.home}/wp-sitemap-posts-${type}-${at + 1}.xml`)}</loc></sitemap>`,
        )
      : all
          .slice((Number(otherPage) - 1) * maxUrls, Number(otherPage) * maxUrls)
          .map(
            ({ url, modified_utc }) =>
              `<url><loc>${textToHtml(String(url))}</loc><lastmod>${String(modified_utc).replace(' ', 'T')}+00:00</lastmod></url>`,
          );
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${items.join('')}</${root}>\n`;
  const bytes = utf8Bytes(text);
  return { status: 200, headers: { 'Content-Type': 'application/xml; charset=UTF-8' }, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
