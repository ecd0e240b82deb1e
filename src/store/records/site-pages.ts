import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { sitePathIn } from '../../model/fields/sayings.ts';
import { resources } from '../../model/resources/all.ts';
import { inWords, type SiteSlugs } from '../../model/site-address.ts';
import type { Database } from '../sqlite/sql.ts';
import { rowBySlug } from './queries.ts';

/** The paths of a copied record's page here and on its site, where they differ, by either of them. */
export function sitePageAt(db: Database, path: string, slugs: SiteSlugs): { here: string; there: string } | undefined {
  const baseOf = (name: ResourceName) => `/${inWords(pageOf(name), slugs)}`;
  const plain = withoutSlash(path);
  const parts = plain.split('/').map(percentDecoded);
  // The slug is the last part, or before the date of an occurrence, whose slug may end with the date.
  const candidates = [parts.at(-1)!, parts.slice(-2).join('-'), parts.at(-2) ?? ''].filter((slug) => slug !== '');
  for (const name of resourceNames)
    for (const slug of candidates) {
      const row = rowBySlug(db, name, slug);
      const there = row && sitePathIn(row);
      if (!there) continue;
      const here = `${baseOf(name)}/${row.slug}/`;
      // Two records of a site may have one address. It is that of the record that also has it here.
      const slugThere = percentDecoded(withoutSlash(there).split('/').at(-1)!);
      const isTaken = there === `${baseOf(name)}/${slugThere}/` && rowBySlug(db, name, slugThere) !== undefined;
      if (!isTaken && [here, there].some((each) => withoutSlash(each) === plain)) return { here, there };
    }
  return undefined;
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '');

function pageOf(name: ResourceName): string {
  const resource = resources[name];
  return resource.family === 'post' ? resource.page.base : resource.page;
}
