import { expect, it } from 'vitest';
import { foldLine } from '../../../src/model/ical/lines.ts';

const octets = (text: string) => new TextEncoder().encode(text).length;

// RFC 5545, 3.1: lines of at most 75 octets, without the line break.
it.each(['a', 'é', '東', '🎉', 'aé', 'a東', '東🎉'])('lines of %s are folded after at most 75 octets, between characters', (piece) => {
  for (let length = 60; length < 160; length++) {
    const line = piece.repeat(Math.ceil(length / octets(piece)));
    const folded = foldLine(line);
    const lines = folded.split('\r\n').slice(0, -1);
    expect(Math.max(...lines.map(octets))).toBeLessThanOrEqual(75);
    expect(lines.map((each, at) => (at ? each.slice(1) : each)).join('')).toBe(line);
    // As few lines as possible: the next character would not have fit.
    expect(lines.length).toBe(octets(line) <= 75 ? 1 : lines.length);
    for (const each of lines.slice(0, -1)) expect(octets(each) + octets([...piece][0]!)).toBeGreaterThan(75 - 3);
  }
});

it.each([
  [75, 1],
  [76, 2],
  [149, 2],
  [150, 3],
])('%d letters are %d lines', (length, count) => expect(foldLine('a'.repeat(length)).split('\r\n')).toHaveLength(count + 1));
