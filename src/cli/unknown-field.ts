import { Failure } from '../model/error.ts';

/** The failure for a field that the definition of a resource lacks. The calendar may declare it. */
export class UnknownField extends Failure {
  constructor(name: string, resource: string, hint: string | undefined) {
    super('bad-request', `Unknown field ${JSON.stringify(name)} of ${resource}`, hint);
  }
}
