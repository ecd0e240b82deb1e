import { Failure } from '../../model/error.ts';
import type { StoreContext } from './context.ts';

/** The failure of a viewer who may not do this: 401 for a visitor, 403 for a user. */
export const forbidden = ({ request }: StoreContext, what: string): Failure =>
  new Failure(
    'rest_forbidden',
    `${request.viewer.name || 'a visitor'} may not ${what}`,
    {},
    undefined,
    request.viewer.role === 'anonymous' ? 401 : 403,
  );
