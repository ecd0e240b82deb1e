import type { Key } from 'ink';

/** A key press: a named key, or text (one character, or all of a paste); or a click. */
export type KeyPress =
  | { type: 'key'; key: string }
  | { type: 'text'; text: string }
  /** A click with the left button. Column and row count from 0. */
  | { type: 'click'; column: number; row: number };

const pasteStart = '[200~';
const pasteEnd = '[201~';
const names: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
};

/** A function that converts ink's input events, which may contain several keys, to key presses. Handles bracketed paste. */
export function keyListener(): (input: string, key: Key) => KeyPress[] {
  let pasting = false;
  return (input, key) => {
    if (input === pasteStart || input === pasteEnd) {
      pasting = input === pasteStart;
      return [];
    }
    if (mouseReports.test(input)) return [...input.matchAll(mouseReport)].flatMap(mousePress);
    const name = nameOf(input, key);
    if (pasting)
      return name === 'tab' ? [{ type: 'text', text: ' ' }] : input ? [{ type: 'text', text: input.replace(/\r\n?/g, '\n') }] : [];
    if (name) return [{ type: 'key', key: name }];
    // Fast typing or a slow connection delivers several keys in one event.
    return Array.from(input, (character): KeyPress => {
      const name = names[character] ?? controlOf(character);
      return name ? { type: 'key', key: name } : { type: 'text', text: character };
    }).filter((press) => press.type !== 'text' || press.text >= ' ');
  };
}

// SGR mouse reports of xterm: button, column and row; M for a press, m for a release. Ink removes the first escape character.
const mouseReport = /\[<(\d+);(\d+);(\d+)([Mm])/g;
const mouseReports = /^(?:\x1b?\[<\d+;\d+;\d+[Mm])+$/;
const wheel: Record<string, string> = { 64: 'up', 65: 'down' };

/** The key press of a mouse report: the wheel moves like the arrows. */
function mousePress([, button = '', column, row, end]: string[]): KeyPress[] {
  if (end === 'm') return [];
  const key = wheel[button];
  if (key) return [{ type: 'key', key }];
  return button === '0' ? [{ type: 'click', column: Number(column) - 1, row: Number(row) - 1 }] : [];
}

/** The name of a control character: 'ctrl-a' for \x01. */
function controlOf(character: string): string | undefined {
  const code = character.charCodeAt(0);
  return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(96 + code)}` : undefined;
}

function nameOf(input: string, key: Key): string | undefined {
  if (key.ctrl && input) return `ctrl-${input}`;
  if (key.tab) return key.shift ? 'backtab' : 'tab';
  if (key.return) return 'enter';
  // Ink reports Backspace as delete.
  if (key.backspace || key.delete) return 'backspace';
  if (key.escape) return 'escape';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  return (
    (['up', 'down', 'left', 'right'] as const).find((arrow) => key[`${arrow}Arrow`]) ?? (['home', 'end'] as const).find((end) => key[end])
  );
}

/** Keys and their descriptions. */
export const helpRows: readonly (readonly [string, string])[] = [
  ['m w d l', 'Show the month, the week, the day or the list'],
  ['T', 'Show the trash; u there restores the event'],
  ['arrows', 'Move between days or events'],
  ['PgUp PgDn', 'Move by a month, or a page of the list'],
  ['j  k', 'Next, previous month, week or day'],
  ['<  >', 'Previous month, next month'],
  ['t', 'Go to today'],
  ['Enter', 'Open the day or the event'],
  ['Esc', 'Go back'],
  ['/', 'Search; Enter keeps the results, Esc clears the search'],
  ['f', 'Filter by category, tag, venue or organizer'],
  ['Mouse', 'Click a day or an event; the wheel moves like the arrows'],
  ['n', 'Create an event'],
  ['e  x', 'Edit the event, or move it to the trash'],
  ['u', 'Undo the last change'],
  ['r', 'Reload, or retry after an error'],
  ['?', 'Show this help'],
  ['q  Ctrl-C', 'Quit'],
  ['', ''],
  ['In a form', 'Tab or arrows: next field. Ctrl-S: save. Esc: cancel'],
  ['', 'Dates can be relative: friday 8pm, 2027-03-01 19:00, +2 hours'],
];

export const helpLines = helpRows.length;
export const helpHeight = (rows: number): number => Math.max(1, rows - 3);
