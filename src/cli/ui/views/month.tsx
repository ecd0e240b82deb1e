import { Box } from 'ink';
import { type Day, monthOf, weeksOf } from '../../days/day.ts';
import { today } from '../../days/display.ts';
import { weekdayText } from '../../days/locale.ts';
import { cellLines } from '../../days/month-cell.ts';
import { onDay } from '../../days/span.ts';
import { cut, pad } from '../../terminal/width.ts';
import type { UiState } from '../state.ts';
import { ColoredText } from './text.tsx';

/** Shows a month as a grid: for each week, a line of day numbers and the lines of events that fit. */
export function MonthView({ state, height }: { state: UiState; height: number }) {
  const weeks = weeksOf(monthOf(state.day), state.display.weekStart);
  const lines = Math.max(1, Math.floor((height - 1) / weeks.length));
  const cell = Math.max(3, Math.floor((state.columns - 6) / 7));
  return (
    <Box flexDirection="column">
      <ColoredText dimColor>
        {weeks[0]!.map((day) => pad(cut(` ${weekdayText(day, state.display.locale)}`, cell), cell)).join(' ')}
      </ColoredText>
      {weeks.map((days) => (
        <Week key={days[0]} state={state} days={days} cell={cell} lines={lines} />
      ))}
    </Box>
  );
}

function Week({ state, days, cell, lines }: { state: UiState; days: Day[]; cell: number; lines: number }) {
  const cells = days.map((day) => cellLines(onDay(state.spans, day), day, cell, lines - 1, state.display.locale));
  return (
    <Box flexDirection="column">
      <ColoredText>
        {days.map((day, at) => (
          <DayNumber key={day} state={state} day={day} cell={cell} last={at === 6} busy={lines < 2 && onDay(state.spans, day).length > 0} />
        ))}
      </ColoredText>
      {Array.from({ length: lines - 1 }, (_, row) => row).map((row) => (
        <ColoredText key={row}>
          {days.map((day, at) => (
            <ColoredText key={day} dimColor={monthOf(day) !== monthOf(state.day)}>
              {pad(cells[at]![row] ?? '', cell) + (at === 6 ? '' : ' ')}
            </ColoredText>
          ))}
        </ColoredText>
      ))}
    </Box>
  );
}

/** Shows the number of a day: the selected one inverse, today in brackets. */
function DayNumber({ state, day, cell, last, busy }: { state: UiState; day: Day; cell: number; last: boolean; busy: boolean }) {
  const here = day === state.day;
  const number = String(Number(day.slice(-2)));
  const shown = day === today(state.display) && cell > 5 ? `[${number}]` : number;
  const text = cut(`${here ? '›' : ' '}${shown}${busy ? '*' : ''}`, cell);
  return (
    <>
      <ColoredText
        inverse={here}
        bold={monthOf(day) === monthOf(state.day)}
        dimColor={monthOf(day) !== monthOf(state.day)}
        color={day === today(state.display) ? 'cyan' : undefined}
      >
        {pad(text, cell)}
      </ColoredText>
      {last ? '' : ' '}
    </>
  );
}
