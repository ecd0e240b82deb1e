import { Box } from 'ink';
import { pad } from '../../terminal/width.ts';
import { helpRows } from '../help-text.ts';
import { ColouredText } from './text.tsx';

/** The list of keys, from a line on. */
export function HelpView({ scroll, height }: { scroll: number; height: number }) {
  return (
    <Box flexDirection="column">
      {helpRows.slice(scroll, scroll + height).map(([keys, what]) => (
        <ColouredText key={keys + what}>
          <ColouredText colour="cyan">{pad(`  ${keys}`, 14)}</ColouredText>
          {what || ' '}
        </ColouredText>
      ))}
    </Box>
  );
}
