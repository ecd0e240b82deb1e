import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cut, pad, widthOf } from '../print/width.ts';
import { Tint } from './tint.tsx';

/** A whole screen: a line of title, what lies under it, and a line at the foot. Ink needs one row for itself. */
export function Frame({ rows, title, foot, children }: { rows: number; title: ReactNode; foot: ReactNode; children: ReactNode }) {
  return (
    <Box flexDirection="column" height={rows - 1}>
      {title}
      <Box flexDirection="column" flexGrow={1} overflow="hidden">
        {children}
      </Box>
      {foot}
    </Box>
  );
}

/** A title on the left and a remark on the right. */
export function Title({ text, remark, columns }: { text: string; remark: string; columns: number }) {
  const right = cut(remark, Math.max(0, Math.floor(columns / 2)));
  const left = cut(text, Math.max(1, columns - widthOf(right) - 1));
  return (
    <Tint bold>
      {pad(left, columns - widthOf(right))}
      <Tint bold={false} dimColor>
        {right}
      </Tint>
    </Tint>
  );
}

/** The foot: a failure and how to go on, else what went well, else the keys. */
export function Foot({
  failure,
  remedy,
  notice,
  keys,
  columns,
}: {
  failure?: string;
  remedy: string;
  notice?: string;
  keys: string;
  columns: number;
}) {
  if (failure !== undefined) {
    const way = `  ${remedy}`;
    return (
      <Tint tint="red">
        {cut(`! ${failure}`, Math.max(8, columns - widthOf(way)))}
        <Tint bold>{way}</Tint>
      </Tint>
    );
  }
  if (notice !== undefined) return <Tint tint="green">{cut(notice, columns)}</Tint>;
  return <Tint dimColor>{cut(keys, columns)}</Tint>;
}
