import { joinPieces, type Response } from '../../src/server/http.ts';

/** Returns the body of a response as text. */
export const bodyText = ({ body }: Pick<Response, 'body'>): string => Buffer.from(joinPieces(body)).toString();
