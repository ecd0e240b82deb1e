import { Text, type TextProps } from 'ink';
import { createContext, useContext } from 'react';

/** True to use colors. */
export const Colored = createContext(true);

/** Shows a text in a color, unless colors are off. Bold and inverse always apply. It never wraps. */
export function ColoredText({ color, ...rest }: TextProps & { color?: string }) {
  const colorful = useContext(Colored);
  return <Text wrap="truncate" {...rest} color={colorful ? color : undefined} />;
}
