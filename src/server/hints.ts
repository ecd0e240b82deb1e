import { pathInFolder } from '../model/addresses.ts';
import type { Resource, ResourceName } from '../model/calendar.ts';
import { resourceNames } from '../model/calendar.ts';
import { closestWords } from '../model/did-you-mean.ts';
import { isObject, listOf } from '../model/fields/coerce.ts';
import { mediaPath } from '../model/images/image.ts';
import { uploadsPath } from '../model/images/poster-image.ts';
import { type Mistake, mistakes as table } from '../model/mistakes/table.ts';
import { resources } from '../model/resources/all.ts';
import { type SiteSlugs, siteFolders, siteGrammar } from '../model/site-address.ts';
import type { Call, HandlerOptions, Result, ServerRequest } from './http.ts';
import { currentUserPath } from './wordpress/current-user.ts';

/** Maximum length of a hint in a header. */
const maxHintLength = 500;

/** Hints as the value of a header: ASCII, other characters percent-encoded. */
export function hintHeader(hints: readonly string[]): string {
  const text = [...new Set(hints)].join('; ').toWellFormed().replace(/\s+/g, ' ');
  const ascii = text.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
  return ascii.length <= maxHintLength ? ascii : `${ascii.slice(0, maxHintLength - 3).replace(/%[\dA-F]?$/, '')}...`;
}

/** The texts of the mistakes of form, which are in the header. */
export const ofForm = (mistakes: readonly Mistake[]): string[] =>
  mistakes.filter(({ rule }) => table[rule].kind === 'form').map(({ text }) => text);

/** Adds a hint if an empty list would have records with other dates than the default ones. */
export async function checkDates(call: Call, name: ResourceName, { headers }: Result): Promise<void> {
  const { options, query, service, viewer, site, hints } = call;
  const { list }: Resource = service.resources()[name];
  if (!list.anyDate || headers[`${options.headerPrefix}-Total`] !== 0 || list.dateNames.some((each) => query[each] !== undefined)) return;
  const { total } = await service.calendar(viewer, site)[name].list({ ...query, ...list.anyDate, page: '1', per_page: '1' });
  if (total > 0)
    hints.push(
      `${total} ${total === 1 ? 'record matches' : 'records match'} with other dates. Without dates, a list covers the next two years. Use ${Object.keys(list.anyDate).join(' and ')}`,
    );
}

/** Every member of a record. */
const rareNames = new Set(Object.values(resources).flatMap(({ response }) => response.members.map(({ name }) => name)));

/** Hints about `_fields` without an effect on a response. */
export function fieldHints(value: unknown, fields: unknown): string[] {
  if (!isObject(value)) return [];
  const names = Object.keys(value);
  return listOf(fields).flatMap((path) => {
    const [first = '', ...rest] = String(path).split('.');
    if (!names.includes(first)) {
      // Records leave out members without a value.
      if ('id' in value && rareNames.has(first)) return [];
      const [closest] = closestWords(first, names);
      return [
        `_fields: the response has no member ${first}. ${closest === undefined ? `It has ${names.join(', ')}` : `Did you mean ${closest}?`}`,
      ];
    }
    const list = value[first];
    return rest.length && Array.isArray(list) && list.length ? [`_fields: ${first} is a list, whose members can't be selected`] : [];
  });
}

/** The hint for a path without a route: the path that it probably means. `find` returns whether a path has a route. */
export function routeHint(
  { path }: ServerRequest,
  { basePath, namespace, files }: HandlerOptions,
  find: (path: string) => unknown,
  slugs: SiteSlugs,
): string {
  const root = `${basePath}/${namespace}`;
  if (path.startsWith(`${uploadsPath}/`))
    return files ? 'Uploaded images are at the url of their records' : 'Start the server with --media DIR to serve images';
  const parts = path.split('/').filter((part) => part !== '');
  const inFolder = pathInFolder(path, basePath);
  const [folder, base] = siteFolders(slugs).find(([each]) => inFolder.startsWith(`/${each}/`)) ?? [];
  // Of a path outside of the API, the first part tells whether a page of the site is meant.
  if (folder !== undefined && parts.length > 1 && !/\/v\d+(\/|$)/.test(path)) {
    if (base === 'event' && parts.at(-1) === 'feed') return 'The feed of an event has its comments, which do not exist here';
    return base === 'events' ? `Addresses of lists: ${siteGrammar(slugs)}` : `The page of a record is at /${folder}/SLUG/`;
  }
  for (const [start, part] of parts.entries()) {
    if (!resourceNames.some((name) => name === part)) continue;
    const rest = parts.slice(start + 1);
    const candidate = [`${root}/${[part, ...rest].join('/')}`, `${root}/${part}/by-slug/${rest.join('/')}`].find(find);
    if (candidate !== undefined) return `Did you mean ${candidate}?`;
  }
  const servedPath = [mediaPath, currentUserPath].find((each) => path.endsWith(each) && find(basePath + each));
  if (servedPath !== undefined) return `Did you mean ${basePath}${servedPath}?`;
  const name = path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/')[0]! : '';
  const [closest] = closestWords(name, resourceNames);
  if (closest === name) return `Use ${root}/${name} or ${root}/${name}/ID`;
  if (closest !== undefined) return `Did you mean ${root}/${closest}?`;
  const below = (path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path).replace(/^\/(wp-json\/)?/, '');
  const [foreign] = /^[\w-]+(?:\/[\w-]+)*?\/v\d+(?:\/[\w-]+)?/.exec(below) ?? [];
  if (foreign === undefined || `${foreign}/`.startsWith(`${namespace}/`)) return `The API is at ${root}`;
  const needsFolder = !files && `/${foreign}` === mediaPath ? '. Start it with --media DIR to serve wp/v2/media' : '';
  const media = files ? `, ${mediaPath.slice(1)}` : '';
  return `${foreign} is not served; this server offers ${namespace} at ${root}${media} and ${currentUserPath.slice(1)}${needsFolder}`;
}
