import type { Key } from 'ink';

/** A key press: a named key, or text (one character, or all of a paste). */
export type KeyPress = { type: 'key'; key: string } | { type: 'text'; text: string };

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

/** Returns a function that converts ink's input events, which may contain several keys, to key presses. Handles bracketed paste. */
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
    // Fast typing or a slow connection delivers several keys in one event.
    return Array.from(input, (character): KeyPress => {
      const name = names[character] ?? controlOf(character);
      return name ? { type: 'key', key: name } : { type: 'text', text: character };
    }).filter((press) => press.type === 'key' || press.text >= ' ');
  };
}

/** Returns the name of a control character: 'ctrl-a' for \x01. */
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
