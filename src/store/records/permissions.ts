import { Failure } from '../../model/error.ts';
import type { StoreContext } from './context.ts';

/** Returns the failure of a viewer without a permission: 401 for a visitor, 403 for a user. */
export const forbidden = ({ request }: StoreContext, what: string): Failure =>
  new Failure(
    'rest_forbidden',
    `${request.viewer.name ? `User ${JSON.stringify(request.viewer.name)} is` : 'Visitors are'} not allowed to ${what}`,
    undefined,
    {},
    request.viewer.role === 'anonymous' ? 401 : 403,
  );
