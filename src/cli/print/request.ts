import type { RequestSummary } from '../../model/operations/requests.ts';
import { escapeControls } from '../terminal/escape-controls.ts';

/** Formats a request as a line: time in UTC, method, status, duration, path, user and error. */
export function requestText({ time, method, path, query, status, fault, took, user, reason }: RequestSummary): string {
  const shownTime = `${took.toFixed(took < 10 ? 1 : 0)} ms`.padStart(8);
  const target = query === '' ? path : `${path}?${query}`;
  const line = [
    time.replace('T', ' '),
    method.padEnd(6),
    String(fault ?? status).padEnd(3),
    shownTime,
    target,
    ...(user === null ? [] : [user]),
    ...(reason ? [reason] : []),
  ];
  return `${escapeControls(line.join('  '))}\n`;
}
