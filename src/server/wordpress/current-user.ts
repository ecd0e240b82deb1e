import { wordpressPath } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { encodeEntities } from '../../model/html/plain-text.ts';
import { mayCreate, mayEditAll, mayPublish, mayUpload, type Viewer } from '../../model/viewer.ts';
import type { Call, Result } from '../http.ts';
import { noteAnonymous } from '../mistakes/conduct.ts';
import { apiRoot } from '../namespace-index.ts';

/** Path of the current user below the base path, as on a WordPress site. */
export const currentUserPath = `${wordpressPath}/users/me`;

/** Capabilities by the names that WordPress has for them. */
const capabilities: Record<string, (viewer: Viewer) => boolean> = {
  read: () => true,
  edit_posts: mayCreate,
  publish_posts: mayPublish,
  upload_files: mayUpload,
  edit_others_posts: mayEditAll,
  manage_categories: mayEditAll,
};

/** The user who sent a request, with roles and capabilities in the context `edit`. Throws `rest_not_logged_in` for visitors. */
export function currentUser(call: Call): Result {
  const { viewer, site, query } = call;
  const { id, name, role } = viewer;
  if (role === 'anonymous') throw new Failure('rest_not_logged_in', 'Not signed in', 'Send HTTP Basic credentials of a user.');
  const slug = encodeURIComponent(name.toLowerCase());
  const here = `${apiRoot(call).slice(0, -1)}${currentUserPath}`;
  const granted = Object.entries(capabilities).filter(([, isGranted]) => isGranted(viewer));
  const more = {
    username: name,
    // Without users, every caller is the owner.
    roles: [role === 'owner' ? 'administrator' : role],
    capabilities: Object.fromEntries(granted.map(([capability]) => [capability, true])),
  };
  const value = {
    id,
    name: encodeEntities(name),
    url: '',
    description: '',
    link: `${site.home}/author/${slug}/`,
    slug,
    avatar_urls: {},
    meta: [],
    ...(query.context === 'edit' ? more : {}),
    _links: { self: [{ href: here }] },
  };
  noteAnonymous(call);
  // Caches must not keep what depends on the credentials.
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}
