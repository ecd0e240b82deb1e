import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cut, pad, widthOf } from '../../terminal/width.ts';
import { ColouredText } from './text.tsx';

/** A title line, the content, and a footer line. Ink needs one row for itself. */
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

/** A title line: text on the left, a remark on the right. */
export function Title({ text, remark, columns }: { text: string; remark: string; columns: number }) {
  const right = cut(remark, Math.max(0, Math.floor(columns / 2)));
  const left = cut(text, Math.max(1, columns - widthOf(right) - 1));
  return (
    <ColouredText bold>
      {pad(left, columns - widthOf(right))}
      <ColouredText bold={false} dimColor>
        {right}
      </ColouredText>
    </ColouredText>
  );
}

/** The footer: a failure and its remedy, else a notice, else the keys. */
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
      <ColouredText colour="red">
        {cut(`! ${failure}`, Math.max(8, columns - widthOf(way)))}
        <ColouredText bold>{way}</ColouredText>
      </ColouredText>
    );
  }
  if (notice !== undefined) return <ColouredText colour="green">{cut(notice, columns)}</ColouredText>;
  return <ColouredText dimColor>{cut(keys, columns)}</ColouredText>;
}
