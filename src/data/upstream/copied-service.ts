import type { Calendar, Collection, Entry, Page, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Service } from '../../model/operations/service.ts';
import { anonymous, type Viewer } from '../../model/viewer.ts';
import { withLinks } from './links.ts';
import type { UpstreamWrites } from './modes.ts';
import { patched, type ValuePatch } from './patch.ts';
import type { SiteCopy } from './site-copy.ts';

/**
 * Returns a service whose records look like those of the site that they are copies of, except for what was changed here. Links into the API name this server.
 * `permits` returns whether a viewer may write; undefined if that depends on the record.
 */
export function copiedService(
  service: Service,
  copy: SiteCopy,
  namespace: string,
  writes: UpstreamWrites,
  permits: (viewer: Viewer) => boolean | undefined,
): Service {
  return {
    ...service,
    may: (viewer, action, resource, ref) =>
      action === 'list' || action === 'get' || (permits(viewer) ?? service.may(viewer, action, resource, ref)),
    checkUpload() {
      throw new Failure('read-only', `This calendar is a copy of ${copy.root}, whose images are on that site`);
    },
    // A copy that takes writes belongs to every caller, unless it has records that visitors of the site don't see.
    defaultViewer: () => (writes === 'local' && !copy.state.hasUserView ? service.defaultViewer() : anonymous),
    // An image may belong to a record that visitors don't see.
    findImage: (ref) => (copy.state.hasUserView ? undefined : service.findImage(ref)),
    calendar(viewer, site) {
      const calendar = service.calendar(viewer, copy.addresses);
      const here = <T>(value: T): T => withLinks(value, namespace, site.root) as T;
      const names = Object.keys(calendar) as ResourceName[];
      const collections = names.map((name) => [name, collectionOf(calendar[name], name, copy, here)]);
      return Object.fromEntries(collections) as Calendar;
    },
  };
}

function collectionOf(
  collection: Calendar[ResourceName],
  name: ResourceName,
  copy: SiteCopy,
  here: <T>(value: T) => T,
): Calendar[ResourceName] {
  const asSite = (entry: Entry, form: 'list' | 'single') => here(likeSite(entry, name, form, copy));
  const single = async (entry: Promise<Entry>) => asSite(await entry, 'single');
  const own: Collection = {
    async list(query) {
      const page: Page = await collection.list(query);
      return { ...here({ ...page, entries: [] }), entries: page.entries.map((entry) => asSite(entry, 'list')) };
    },
    get: (ref, query) => single(collection.get(ref, query)),
    create: (input) => single(collection.create(input)),
    update: (ref, input) => single(collection.update(ref, input)),
    delete: (ref) => single(collection.delete(ref)),
  };
  return { ...collection, ...own };
}

/** Returns a record as the site shows it. A form that was not read yet is like the list form. */
export function likeSite(entry: Entry, name: ResourceName, form: 'list' | 'single', { state }: SiteCopy): Entry {
  const stored = state.form(name, entry.id, form) ?? state.form(name, entry.id, 'list');
  if (!stored?.patch) return entry;
  return patched(JSON.parse(JSON.stringify(entry)), JSON.parse(stored.patch) as ValuePatch) as Entry;
}
