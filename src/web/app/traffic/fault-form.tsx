import { formatFaultLine } from '../../../model/operations/fault-line.ts';
import type { FaultInput } from '../../../model/operations/faults.ts';
import { FaultLine } from '../workbench/fault-line.tsx';

/** The fault that was derived from a request, as a line to edit. */
export const FaultForm = ({ fault, world, onAdded }: { fault: FaultInput; world?: string; onAdded(): void }) => (
  <FaultLine initial={formatFaultLine(fault)} world={world} onAdded={onAdded} />
);
