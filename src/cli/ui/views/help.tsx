import { Box } from 'ink';
import { pad } from '../../terminal/width.ts';
import { helpRows } from '../help-text.ts';
import { ColoredText } from './text.tsx';

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
