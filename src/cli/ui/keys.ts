import type { Key } from 'ink';

/** A key press: a named key, or text (one character, or all of a paste). */
export type KeyPress = { type: 'key'; key: string } | { type: 'text'; text: string };

const pasteStart = '[200~';
const pasteEnd = '[201~';
const named: Record<string, string> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x03': 'ctrl-c',
};

/** Turns ink's input events, which may hold several keys, into key presses; keeps track of bracketed paste. */
export function keyListener(): (input: string, key: Key) => KeyPress[] {
  let pasting = false;
  return (input, key) => {
    if (input === pasteStart || input === pasteEnd) {
      pasting = input === pasteStart;
      return [];
    }
    const name = nameOf(input, key);
    if (pasting)
      return name === 'tab' ? [{ type: 'text', text: ' ' }] : input ? [{ type: 'text', text: input.replace(/\r\n?/g, '\n') }] : [];
    if (name) return [{ type: 'key', key: name }];
    // Fast typing, or a slow line, delivers several keys in one event.
    return Array.from(input, (character): KeyPress => {
      const known = named[character] ?? controlOf(character);
      return known ? { type: 'key', key: known } : { type: 'text', text: character };
    }).filter((press) => press.type === 'key' || press.text >= ' ');
  };
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
  // Terminals send for Backspace what ink calls delete.
  if (key.backspace || key.delete) return 'backspace';
  if (key.escape) return 'escape';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  return (
    (['up', 'down', 'left', 'right'] as const).find((arrow) => key[`${arrow}Arrow`]) ?? (['home', 'end'] as const).find((end) => key[end])
  );
}
