import { Box } from 'ink';
import { type Day, monthOf, weeksOf } from '../look/day.ts';
import { weekdayText } from '../look/locale.ts';
import { today } from '../look/look.ts';
import { onDay } from '../look/span.ts';
import { cellLines } from '../month.ts';
import { cut, pad } from '../print/width.ts';
import type { State } from './state.ts';
import { Tint } from './tint.tsx';

/** A month as a grid: a line of numbers for each week, and below it as many lines of events as the screen has room for. */
export function MonthView({ state, height }: { state: State; height: number }) {
  const weeks = weeksOf(monthOf(state.day), state.look.weekStart);
  const lines = Math.max(1, Math.floor((height - 1) / weeks.length));
  const cell = Math.max(3, Math.floor((state.columns - 6) / 7));
  return (
    <Box flexDirection="column">
      <Tint dimColor>{weeks[0]!.map((day) => pad(cut(` ${weekdayText(day, state.look.locale)}`, cell), cell)).join(' ')}</Tint>
      {weeks.map((days) => (
        <Week key={days[0]} state={state} days={days} cell={cell} lines={lines} />
      ))}
    </Box>
  );
}

function Week({ state, days, cell, lines }: { state: State; days: Day[]; cell: number; lines: number }) {
  const cells = days.map((day) => cellLines(onDay(state.spans, day), day, cell, lines - 1));
  return (
    <Box flexDirection="column">
      <Tint>
        {days.map((day, at) => (
          <DayNumber key={day} state={state} day={day} cell={cell} last={at === 6} busy={lines < 2 && onDay(state.spans, day).length > 0} />
        ))}
      </Tint>
      {Array.from({ length: lines - 1 }, (_, row) => row).map((row) => (
        <Tint key={row}>
          {days.map((day, at) => (
            <Tint key={day} dimColor={monthOf(day) !== monthOf(state.day)}>
              {pad(cells[at]![row] ?? '', cell) + (at === 6 ? '' : ' ')}
            </Tint>
          ))}
        </Tint>
      ))}
    </Box>
  );
}

/** The chosen day is pointed at and inverse, today is in brackets. */
function DayNumber({ state, day, cell, last, busy }: { state: State; day: Day; cell: number; last: boolean; busy: boolean }) {
  const here = day === state.day;
  const number = String(Number(day.slice(-2)));
  const shown = day === today(state.look) && cell > 5 ? `[${number}]` : number;
  const text = cut(`${here ? '›' : ' '}${shown}${busy ? '*' : ''}`, cell);
  return (
    <>
      <Tint
        inverse={here}
        bold={monthOf(day) === monthOf(state.day)}
        dimColor={monthOf(day) !== monthOf(state.day)}
        tint={day === today(state.look) ? 'cyan' : undefined}
      >
        {pad(text, cell)}
      </Tint>
      {last ? '' : ' '}
    </>
  );
}
