import { Box } from 'ink';
import type { ReactNode } from 'react';
import { cut, pad, widthOf } from '../../terminal/width.ts';
import { ColoredText } from './text.tsx';

/** Shows a title line, the content and a footer line. Ink needs one extra row. */
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

/** Shows a title on the left and a remark on the right. */
export function Title({ text, remark, columns }: { text: string; remark: string; columns: number }) {
  const right = cut(remark, Math.max(0, Math.floor(columns / 2)));
  const leftText = cut(text, Math.max(1, columns - widthOf(right) - 1));
  return (
    <ColoredText bold>
      {pad(leftText, columns - widthOf(right))}
      <ColoredText bold={false} dimColor>
        {right}
      </ColoredText>
    </ColoredText>
  );
}

/** Shows an error and its remedy, else a notice, else the keys. */
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
      <ColoredText color="red">
        {cut(`! ${failure}`, Math.max(8, columns - widthOf(way)))}
        <ColoredText bold>{way}</ColoredText>
      </ColoredText>
    );
  }
  if (notice !== undefined) return <ColoredText color="green">{cut(notice, columns)}</ColoredText>;
  return <ColoredText dimColor>{cut(keys, columns)}</ColoredText>;
}
