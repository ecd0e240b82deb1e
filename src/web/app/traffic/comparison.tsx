import { Scrollable } from '../parts/controls.tsx';
import { compareLines } from './diff.ts';
import { requestLines } from './request.ts';
import { type TrafficRow, useDetails } from './use-requests.ts';
import './pane.css';

const marks = { same: ' ', removed: '−', added: '+' };

/** The difference of two requests and their responses. */
export function Comparison({ one, other }: { one: TrafficRow; other: TrafficRow }) {
  const [first, second] = [useDetails(one), useDetails(other)];
  if (first === undefined || second === undefined) return <section class="pane" aria-busy="true" aria-label="Comparison" />;
  const lines = compareLines(requestLines(first ?? one), requestLines(second ?? other));
  return (
    <Scrollable class="pane" label="Comparison">
      <h2>Comparison</h2>
      <pre>
        {lines.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines don't move.
          <span key={index} class={`pane-line ${kind}`}>
            {marks[kind]} {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </Scrollable>
  );
}
