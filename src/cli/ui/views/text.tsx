import { Text, type TextProps } from 'ink';
import { createContext, useContext } from 'react';

/** Whether to draw in color. */
export const Colored = createContext(true);

/** A text that is drawn in a color unless colors are off; bold and inverse always apply. It never wraps. */
export function ColoredText({ color, ...rest }: TextProps & { color?: string }) {
  const colorful = useContext(Colored);
  return <Text wrap="truncate" {...rest} color={colorful ? color : undefined} />;
}
