/** Who asks. What each role may do is as in the reference. */
export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';
export const roles: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];

/** Nobody (`anonymous`), a user with a role, or the `owner` of a store without users, who may do everything. */
export interface Viewer {
  id: number;
  name: string;
  role: Role | 'owner' | 'anonymous';
}

export const anonymous: Viewer = { id: 0, name: '', role: 'anonymous' };
export const owner: Viewer = { id: 1, name: 'owner', role: 'owner' };

/** What a post belongs to and where it stands, as permissions need it. */
export interface Owned {
  author: number;
  status: string;
}

const rank: Record<Viewer['role'], number> = {
  anonymous: 0,
  subscriber: 1,
  contributor: 2,
  author: 3,
  editor: 4,
  administrator: 5,
  owner: 5,
};
const atLeast = (viewer: Viewer, role: Viewer['role']) => rank[viewer.role] >= rank[role];

/** Events, venues and organizers: may this viewer make one at all? It also opens lists of every status. */
export const mayCreate = (viewer: Viewer) => atLeast(viewer, 'contributor');
/** May what this viewer makes be published (and not only drafted)? */
export const mayPublish = (viewer: Viewer) => atLeast(viewer, 'author');
/** Changing or deleting this post: editors any, authors their own, contributors their own unpublished ones. */
export const mayEdit = (viewer: Viewer, post: Owned) =>
  atLeast(viewer, 'editor') ||
  (viewer.id === post.author &&
    (atLeast(viewer, 'author') || (atLeast(viewer, 'contributor') && !['publish', 'private', 'future'].includes(post.status))));
/** Reading this post: published ones everybody, the others who wrote or may edit them. */
export const mayRead = (viewer: Viewer, post: Owned) => post.status === 'publish' || viewer.id === post.author || mayEdit(viewer, post);
/** May texts of this viewer hold any HTML, scripts included? */
export const mayUseAnyHtml = (viewer: Viewer) => atLeast(viewer, 'editor');
/** May this viewer add images? */
export const mayUpload = (viewer: Viewer) => atLeast(viewer, 'author');
/** Making terms: authors may make categories, editors tags too. */
export const mayCreateTerms = (viewer: Viewer, kind: 'category' | 'tag') => atLeast(viewer, kind === 'category' ? 'author' : 'editor');
/** Changing and deleting terms. */
export const mayEditTerms = (viewer: Viewer) => atLeast(viewer, 'editor');
