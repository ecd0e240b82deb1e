import { Failure } from '../model/error.ts';

const unknownFields = new WeakSet<object>();

/** Returns the failure for a field that the definition of a resource lacks. */
export function unknownField(name: string, resource: string, hint: string | undefined): Failure {
  const failure = new Failure('bad-request', `Unknown field ${JSON.stringify(name)} of ${resource}`, hint);
  unknownFields.add(failure);
  return failure;
}

/** Returns whether an error is about a field that the calendar may declare. */
export const isUnknownField = (error: unknown): boolean => typeof error === 'object' && error !== null && unknownFields.has(error);
