import { Box, Text, type TextProps } from 'ink';
import { createContext, useContext } from 'react';
import { type ColorLevel, type Line, lineText } from '../../terminal/styled-line.ts';

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
          {lineText(line, level) || ' '}
        </Text>
      ))}
    </Box>
  );
}
