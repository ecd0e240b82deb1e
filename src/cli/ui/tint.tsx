import { Text, type TextProps } from 'ink';
import { createContext, useContext } from 'react';

/** Whether colours are wanted. */
export const Colourful = createContext(true);

/** A text in a colour, where colours are wanted; weight and inversion stay. It never wraps. */
export function Tint({ tint, ...rest }: TextProps & { tint?: string }) {
  const colourful = useContext(Colourful);
  return <Text wrap="truncate" {...rest} color={colourful ? tint : undefined} />;
}
