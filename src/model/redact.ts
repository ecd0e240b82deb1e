import type { ViewOptions } from './context.ts';
import type { Row } from './record.ts';
import { mayEdit, ownership } from './viewer.ts';

/** Returns whether a row looks the same to every viewer. Categories and tags have no status and no password. */
export const isOpen = ({ status = 'publish', post_password = '' }: Row): boolean => status === 'publish' && post_password === '';

/** The parts of a view that decide whether a password hides a record. */
export type Sight = Pick<ViewOptions, 'viewer' | 'password' | 'editing'>;

/** Returns whether a password hides a record from a view. Terms have none. */
export const isLocked = (row: Row, view: Sight): boolean =>
  typeof row.post_password === 'string' &&
  row.post_password !== '' &&
  row.post_password !== view.password &&
  !(view.editing && mayEdit(view.viewer, ownership(row)));
