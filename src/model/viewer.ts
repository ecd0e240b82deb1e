import type { Row } from './record.ts';

// The recorded exchanges `events.create.role.*`, `venues.create.role-*` and `*.update.contributor-*` show what each may do.
/** The roles of users, from full access to reading only. */
export type Role = 'administrator' | 'editor' | 'author' | 'contributor' | 'subscriber';
export const roles: readonly Role[] = ['administrator', 'editor', 'author', 'contributor', 'subscriber'];

/** A visitor (`anonymous`), a user with a role, or the `owner` of a calendar without users, who has full access. */
export interface Viewer {
  id: number;
  name: string;
  role: Role | 'owner' | 'anonymous';
}

/** A user without the password. */
export interface User {
  /** ID, which records have as their author. */
  id: number;
  /** Name to sign in with. */
  name: string;
  /** Role, which decides about permissions. */
  role: Role;
}

/** A user to add; `id` is kept if it is free. */
export interface NewUser {
  /** ID to keep if it is free. */
  id?: number;
  /** Name to sign in with. */
  name: string;
  /** Role, which decides about permissions. */
  role: Role;
  /** Password to sign in with. */
  password: string;
}

/** Users as a list, or by their names. */
export type UserList = readonly NewUser[] | Readonly<Record<string, Omit<NewUser, 'name'>>>;

/** Returns users as a list. */
export const userList = (users: UserList): readonly NewUser[] =>
  Array.isArray(users) ? users : Object.entries(users).map(([name, user]) => ({ ...user, name }));

/** Value of the option `users` that stands for one user of each role. */
export const rolesOption = 'roles';

/** One user of each role, whose name and password are that of the role. */
export const roleUsers: readonly NewUser[] = roles.map((role) => ({ name: role, role, password: role }));

/** Changes to the user with a name. */
export type UserChange = Pick<NewUser, 'name'> & Partial<Pick<NewUser, 'role' | 'password'>>;

export const anonymous: Viewer = { id: 0, name: '', role: 'anonymous' };
export const owner: Viewer = { id: 1, name: 'owner', role: 'owner' };

/** The properties of a post that permissions depend on. */
interface Owned {
  author: number;
  status: string;
}

export const ownership = (row: Row): Owned => ({ author: Number(row.author), status: String(row.status) });

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

/** True if a viewer may create events, venues and organizers, and list them in every status. */
export const mayCreate = (viewer: Viewer) => atLeast(viewer, 'contributor');
export const mayPublish = (viewer: Viewer) => atLeast(viewer, 'author');
export const mayEditAll = (viewer: Viewer) => atLeast(viewer, 'editor');
/** True if a viewer is the author of a post. Visitors are not, also if it has no author. */
const isAuthor = (viewer: Viewer, post: Owned) => viewer.id !== anonymous.id && viewer.id === post.author;
/** True if a viewer may change or delete a post: editors any, authors their own, contributors their own unpublished ones. */
export const mayEdit = (viewer: Viewer, post: Owned) =>
  mayEditAll(viewer) ||
  (isAuthor(viewer, post) &&
    (atLeast(viewer, 'author') || (atLeast(viewer, 'contributor') && !['publish', 'private', 'future'].includes(post.status))));
/** True if a viewer may read a post: published ones, their own, and those they may edit. */
export const mayRead = (viewer: Viewer, post: Owned) => post.status === 'publish' || isAuthor(viewer, post) || mayEdit(viewer, post);
export const mayWriteForOthers = (viewer: Viewer) => atLeast(viewer, 'editor');
export const mayUseAnyHtml = (viewer: Viewer) => atLeast(viewer, 'editor');
export const mayUpload = (viewer: Viewer) => atLeast(viewer, 'author');
export const mayCreateTerms = (viewer: Viewer, { creators }: { creators: Role }) => atLeast(viewer, creators);
export const mayEditTerms = (viewer: Viewer) => atLeast(viewer, 'editor');
