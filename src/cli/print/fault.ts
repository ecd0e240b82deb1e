import type { Delay, FaultInfo } from '../../model/operations/faults.ts';
import { escapeControls } from '../terminal/escape-controls.ts';

/** Formats a fault as a row: ID, matching requests, effect, frequency, number of uses. */
export function faultCells(fault: FaultInfo): string[] {
  const cells = [String(fault.id), requestsOf(fault), outcomeOf(fault), turnsOf(fault), `used: ${fault.hits}`];
  return cells.map(escapeControls);
}

function requestsOf({ match: { method, path, query = {}, headers = {} } }: FaultInfo): string {
  const pairs = (values: Readonly<Record<string, unknown>>, sign: string) =>
    Object.entries(values).map(([name, value]) => (value === null ? `no ${name}` : `${name}${sign}${value}`));
  const methods = method === undefined ? [] : [[method].flat().join(',').toUpperCase()];
  const parts = [...methods, ...(path === undefined ? [] : [path]), ...pairs(query, '='), ...pairs(headers, ': ')];
  return parts.length ? parts.join(' ') : 'every request';
}

const delayText = (delay: Delay): string => {
  if (typeof delay === 'number') return `${delay} ms`;
  return 'uniform' in delay ? `${delay.uniform.join('-')} ms` : `about ${delay.lognormal.median} ms`;
};

function outcomeOf({ then, delay, slow_body, at }: FaultInfo): string {
  const outcome = typeof then !== 'object' ? then : 'patch' in then ? `patch ${JSON.stringify(then.patch)}` : `status ${then.status}`;
  const parts = [
    ...(delay === undefined ? [] : [`after ${delayText(delay)}`]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(slow_body === undefined ? [] : [`body over ${delayText(slow_body)}`]),
    ...(at === 'after' ? ['after the change'] : []),
  ];
  return parts.join(', ');
}

function turnsOf({ times, after, every, probability, remaining }: FaultInfo): string {
  const parts = [
    ...(probability === undefined ? [] : [`${Number((probability * 100).toFixed(4))} %`]),
    ...(every === undefined ? [] : [`1 in ${every}`]),
    ...(after === undefined ? [] : [`skipping the first ${after}`]),
    ...(times === undefined ? [] : [remaining === 0 ? 'used up' : `${remaining} of ${times} left`]),
  ];
  return parts.length ? parts.join(', ') : 'always';
}
