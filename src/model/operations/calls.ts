import { operationGroups } from './all.ts';
import { callsOf, type OperationCalls } from './call-forms.ts';

/** How every operation is called. The bundle has this as a literal (see build.ts), because loading the definitions takes longer than a request. */
export const operationCalls: OperationCalls = callsOf(operationGroups);
