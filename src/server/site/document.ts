import Negotiator from 'negotiator';
import { folderOf } from '../../model/addresses.ts';
import { utf8Bytes } from '../../model/formats/bytes.ts';
import { textToHtml } from '../../model/html/sanitize.ts';
import { mediaPath } from '../../model/images/image.ts';
import { resources } from '../../model/resources/all.ts';
import { type DocumentParts, pageFolder, type WebPage } from '../../model/web-page.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';

/** Content security policy of the page: requests to this server only; images of other servers on demand. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const documentHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
};

export type LoadPage = () => Promise<WebPage>;
/** True if a client prefers HTML to JSON; true without a preference. */
export const wantsPage = ({ request }: Call): boolean =>
  new Negotiator({ headers: request.headers }).mediaType(['text/html', 'application/json']) !== 'application/json';

export async function documentOf(
  page: LoadPage,
  { service, options, request, site }: Call,
  status: number,
  parts: DocumentParts = {},
): Promise<Result> {
  const { now, zone } = service.requestContext();
  const own = service.resources();
  const { document, definitions } = await page();
  const { basePath, namespace, headerPrefix } = options;
  const { prefix = '' } = request;
  const context = {
    root: `${prefix}${basePath}/${namespace}`,
    feed: `${prefix}${basePath}/calendar.ics`,
    prefix,
    folder: folderOf(basePath),
    view: parts.view ?? null,
    record: parts.record ?? null,
    slugs: service.slugs(),
    world: request.world ?? null,
    // An ID begins with the name and ends with random digits.
    worldName: request.world?.replace(/(?<=.)-?[\da-f]{16}$/, '') ?? null,
    title: service.title(),
    timezone: zone,
    now,
    users: service.hasUsers(),
    uploads: options.files ? `${prefix}${basePath}${mediaPath}` : null,
    copyOf: options.copyOf?.host ?? null,
    control: (request.isRemote && options.control === 'everyone' ? undefined : options.control) ?? null,
    ...(own === resources ? {} : { definitions: definitions(own) }),
  };
  // Clients find the API by these headers, and in documents by elements of the same names.
  const announced = {
    [`${headerPrefix}-API-VERSION`]: namespace.split('/').pop()!,
    [`${headerPrefix}-API-ROOT`]: `${site.root}/`,
    [`${headerPrefix}-API-ORIGIN`]: site.home,
  };
  const tags = Object.entries(announced).map(
    ([name, value]) => `<meta name="${name.replace(/^X-/i, '').toLowerCase()}" content="${textToHtml(value)}">`,
  );
  const api = `<link rel="alternate" href="${textToHtml(`${site.root}/`)}">`;
  const text = document(context, pageFolder, { ...parts, head: [...tags, api, ...(parts.head ? [parts.head] : [])].join('\n') });
  const bytes = utf8Bytes(request.method === 'HEAD' ? '' : text);
  return { status, headers: { ...documentHeaders, ...announced }, body: { pieces: [bytes], tag: tagOf(text) } };
}
