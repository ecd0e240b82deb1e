import { expect, it } from 'vitest';
import { renderOutput } from '../../../src/cli/terminal/safe-output.ts';
import {
  type ColorLevel,
  colorLevelOf,
  fitLine,
  type Line,
  lineText,
  segmentAt,
  type TerminalColor,
} from '../../../src/cli/terminal/styled-line.ts';

const color: TerminalColor = [32, 72, 81, 182, 122];

it.each<[Record<string, string>, ColorLevel]>([
  [{ COLORTERM: 'truecolor', TERM: 'xterm' }, 3],
  [{ COLORTERM: '24bit' }, 3],
  [{ TERM: 'xterm-direct' }, 3],
  [{ TERM: 'screen-256color' }, 2],
  [{ TERM: 'xterm' }, 1],
])('a terminal with %j has color level %i', (env, level) => expect(colorLevelOf(env)).toBe(level));

it.each<[ColorLevel, boolean, string]>([
  [3, false, '\x1b[38;2;81;182;122mtext\x1b[0m'],
  [2, false, '\x1b[38;5;72mtext\x1b[0m'],
  [1, false, '\x1b[32mtext\x1b[0m'],
  [0, false, 'text'],
  [3, true, '\x1b[48;2;81;182;122;30mtext\x1b[0m'],
  [1, true, '\x1b[42;30mtext\x1b[0m'],
  // Without colors, a filled segment is inverse.
  [0, true, '\x1b[7mtext\x1b[0m'],
])('at level %i, a color with filled: %s is %j', (level, filled, text) => {
  expect(renderOutput(lineText([{ text: 'text', color, filled }], level))).toBe(text);
  expect(lineText([{ text: 'text', color, filled, bold: true }], level, false)).toBe('text');
});

const line: Line = [{ text: 'ab', day: '2027-03-01' }, { text: '日本', event: 7 }, { text: 'z' }];

it.each([
  [10, 'ab日本z   '],
  [7, 'ab日本z'],
  [6, 'ab日本'],
  [5, 'ab日…'],
  [2, 'ab'],
])('in %i columns, a line is %j', (columns, text) => expect(lineText(fitLine(line, columns), 0)).toBe(text));

it.each([
  [0, { day: '2027-03-01' }],
  [2, { event: 7 }],
  [5, { event: 7 }],
  [6, { text: 'z' }],
])('the segment at column %i is %j', (column, expected) => expect(segmentAt(line, column)).toMatchObject(expected));

it('there is no segment beyond the end', () => expect(segmentAt(line, 7)).toBeUndefined());
