import { type Input, resourceNames } from '../../src/model/calendar.ts';
import { references } from '../../src/model/formats/references.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Store } from '../../src/store/calendar.ts';

const home = { home: 'http://x', root: 'http://x/v1' };
/** Records by slug, with the slugs of linked ones; without what differs between two imports: IDs, UIDs and dates of publication. */
export function recordsBySlug(store: Store): Record<string, Record<string, Input>> {
  const local = store.local(owner, home);
  const slugs = new Map<string, string>(
    resourceNames.flatMap((name) => [...local.sources(name)].map((each) => [`${name}:${each.id}`, String(each.slug)] as const)),
  );
  return Object.fromEntries(
    resourceNames.map((name) => [
      name,
      Object.fromEntries(
        [...local.sources(name)].map(({ id, uid: _, date: _d, date_utc: _du, modified: _m, modified_utc: _mu, ...record }) => [
          slugs.get(`${name}:${id}`)!,
          Object.fromEntries(
            Object.entries(record).map(([field, value]) => {
              const to = references[name][field];
              if (!to || to === 'images') return [field, value];
              return [
                field,
                Array.isArray(value) ? value.map((each) => slugs.get(`${to}:${each}`)) : (slugs.get(`${to}:${value}`) ?? value),
              ];
            }),
          ),
        ]),
      ),
    ]),
  );
}
