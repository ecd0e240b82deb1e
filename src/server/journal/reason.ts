import { isObject, percentDecoded } from '../../model/fields/coerce.ts';
import { joinPieces, type Response } from '../http.ts';
import { withoutSecrets } from './credentials.ts';

/** Why a request failed, or how to improve it. */
export interface Reason {
  code?: string;
  message?: string;
  hint?: string;
}

type Answered = Pick<Response, 'status' | 'body'> & { headers: Readonly<Record<string, string | undefined>> };

/** Maximum size of a body that is read for its error, in bytes. */
const maxErrorBytes = 64 << 10;

/** Returns code, message and hint of a response; nothing for one that succeeded without a hint. */
export function reasonOf({ status, headers, body }: Answered): Reason {
  const header = Object.entries(headers).find(([name]) => /-hint$/i.test(name))?.[1];
  const hint = header === undefined ? {} : { hint: percentDecoded(header) };
  const bytes = status < 400 ? undefined : joinPieces(body);
  if (!bytes?.length || bytes.length > maxErrorBytes) return hint;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isObject(value)) return hint;
    const members = (['code', 'message', 'hint'] as const).filter((name) => typeof value[name] === 'string');
    return { ...Object.fromEntries(members.map((name) => [name, withoutSecrets(String(value[name]))])), ...hint };
  } catch {
    return hint;
  }
}

/** Returns code, message and hint of a response as one line. */
export function reasonText(response: Answered): string {
  const { code, message, hint } = reasonOf(response);
  const error = [code, message].filter((part) => part !== undefined).join(': ');
  return [error, ...(hint === undefined ? [] : [`(${hint})`])].filter((part) => part !== '').join(' ');
}
