import type { JournaledRequest } from '../operation-types.ts';

/** Returns how a request ended, for people: its status, its connection fault, `aborted`, or `pending` before its end. */
export function outcomeText({ status, fault, aborted }: Pick<JournaledRequest, 'status' | 'fault' | 'aborted'>): string {
  if (fault || aborted) return [fault, aborted && 'aborted'].filter(Boolean).join(' ');
  return status === null ? 'pending' : String(status);
}

/** True for a request whose client got an error, no whole response, or none. */
export const isFailed = ({ status, fault, aborted }: Pick<JournaledRequest, 'status' | 'fault' | 'aborted'>): boolean =>
  fault !== null || aborted || (status ?? 0) >= 400;
