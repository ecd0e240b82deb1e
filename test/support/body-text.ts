import { joinPieces, type ServerResponse } from '../../src/server/http.ts';

/** Returns the body of a response as text. */
export const bodyText = ({ body }: Pick<ServerResponse, 'body'>): string => Buffer.from(joinPieces(body)).toString();
