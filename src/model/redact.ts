import type { ViewOptions } from './context.ts';
import type { Row } from './record.ts';
import { mayEdit, ownership } from './viewer.ts';

/** Returns whether a row looks the same to every viewer. Categories and tags have no status and no password. */
export const isOpen = ({ status = 'publish', post_password = '' }: Row): boolean => status === 'publish' && post_password === '';

/** What decides whether a password hides a record from a view. */
export type Sight = Pick<ViewOptions, 'viewer' | 'password' | 'editing'>;

/** Whether a password hides a record from this view. Categories and tags have none. */
export const isLocked = (row: Row, view: Sight): boolean =>
  typeof row.post_password === 'string' &&
  row.post_password !== '' &&
  row.post_password !== view.password &&
  !(view.editing && mayEdit(view.viewer, ownership(row)));
