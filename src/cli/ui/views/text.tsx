import { Text, type TextProps } from 'ink';
import { createContext, useContext } from 'react';

/** Whether to draw in colour. */
export const Coloured = createContext(true);

/** A text that is drawn in a colour unless colours are off; bold and inverse always apply. It never wraps. */
export function ColouredText({ colour, ...rest }: TextProps & { colour?: string }) {
  const colourful = useContext(Coloured);
  return <Text wrap="truncate" {...rest} color={colourful ? colour : undefined} />;
}
