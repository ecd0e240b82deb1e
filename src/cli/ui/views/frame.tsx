import { Box, Text, type TextProps } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import { renderOutput } from '../../terminal/safe-output.ts';
import { type ColorLevel, type Line, lineText } from '../../terminal/styled-line.ts';
import { cut, pad, widthOf } from '../../terminal/width.ts';
import { helpRows } from '../keys.ts';

/** True to use colors. */
export const Colored = createContext(true);

/** Shows a text in a color, unless colors are off. Bold and inverse always apply. It never wraps. */
export function ColoredText({ color, ...rest }: TextProps & { color?: string }) {
  const colorful = useContext(Colored);
  return <Text wrap="truncate" {...rest} color={colorful ? color : undefined} />;
}

/** Shows lines of styled segments. */
export function StyledLines({ lines, level }: { lines: readonly Line[]; level: ColorLevel }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its row
        <Text key={at} wrap="truncate">
          {renderOutput(lineText(line, level)) || ' '}
        </Text>
      ))}
    </Box>
  );
}

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
  return <ColoredText dimColor>{fitting(keys, columns)}</ColoredText>;
}

/** The first hints, each of them whole, that fit. */
function fitting(keys: string, columns: number): string {
  let text = '';
  for (const hint of keys.split('  ')) {
    const longer = text ? `${text}  ${hint}` : hint;
    if (widthOf(longer) > columns) break;
    text = longer;
  }
  return text;
}

/** Shows the list of keys, scrolled to a line. */
export function HelpView({ scroll, height }: { scroll: number; height: number }) {
  return (
    <Box flexDirection="column">
      {helpRows.slice(scroll, scroll + height).map(([keys, what]) => (
        <ColoredText key={keys + what}>
          <ColoredText color="cyan">{pad(`  ${keys}`, 14)}</ColoredText>
          {what || ' '}
        </ColoredText>
      ))}
    </Box>
  );
}
