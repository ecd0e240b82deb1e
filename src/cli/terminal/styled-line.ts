import { ownSequence } from './safe-output.ts';
import type { Terminal } from './terminal.ts';
import { cut, widthOf } from './width.ts';

/** Colors that a terminal shows: none, 16, 256 or all. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** A color by the capabilities of terminals: SGR code of the 16 colors, index of the 256, and red, green, blue. */
export type TerminalColor = readonly [basic: number, indexed: number, red: number, green: number, blue: number];

/** A piece of a line with one style. */
export interface Segment {
  text: string;
  color?: TerminalColor;
  /** True to color the background instead of the text. */
  filled?: boolean;
  bold?: boolean;
  dim?: boolean;
  inverse?: boolean;
  /** The day and the ID of the event that a click on it selects. */
  day?: string;
  event?: number;
}
export type Line = readonly Segment[];

/** The color level of a terminal that shows colors, by COLORTERM and TERM. */
export function colorLevelOf({ COLORTERM, TERM }: Terminal['env']): ColorLevel {
  if (/^(truecolor|24bit)$/i.test(COLORTERM ?? '') || TERM?.endsWith('-direct')) return 3;
  return TERM?.includes('256color') ? 2 : 1;
}

const black = 30;
const background = 10;

function colorCodes([basic, indexed, ...rgb]: TerminalColor, level: ColorLevel, offset: 0 | typeof background): string {
  if (level === 1) return String(basic + offset);
  return level === 2 ? `${38 + offset};5;${indexed}` : `${38 + offset};2;${rgb.join(';')}`;
}

/** A line for a terminal. `styled` is false for plain text, as in a pipe; without colors, bold, dim and inverse still apply. */
export function lineText(line: Line, level: ColorLevel, styled = true): string {
  if (!styled) return line.map(({ text }) => text).join('');
  return line
    .map(({ text, color, filled, bold, dim, inverse }) => {
      const codes: (string | number)[] = [];
      if (bold) codes.push(1);
      if (dim) codes.push(2);
      if (inverse || (filled && !(color && level))) codes.push(7);
      if (color && level && !inverse)
        codes.push(...(filled ? [colorCodes(color, level, background), black] : [colorCodes(color, level, 0)]));
      return codes.length && text ? `${ownSequence(`\x1b[${codes.join(';')}m`)}${text}${ownSequence('\x1b[0m')}` : text;
    })
    .join('');
}

/** Cuts or pads a line to a number of columns. */
export function fitLine(line: Line, columns: number): Line {
  let remaining = columns;
  const fitting: Segment[] = [];
  for (const segment of line) {
    const text = cut(segment.text, remaining);
    remaining -= widthOf(text);
    if (text) fitting.push(text === segment.text ? segment : { ...segment, text });
    if (text !== segment.text) break;
  }
  return remaining > 0 ? [...fitting, { text: ' '.repeat(remaining) }] : fitting;
}

/** The segment at a column, which counts from 0; undefined beyond the end. */
export function segmentAt(line: Line, column: number): Segment | undefined {
  let end = 0;
  return line.find(({ text }) => {
    end += widthOf(text);
    return column < end;
  });
}
