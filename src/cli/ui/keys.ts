import type { Key } from 'ink';

/** What a person did at the keyboard: a key with a name, or a text of one character or pasted. */
export type Press = { type: 'key'; key: string } | { type: 'text'; text: string };

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

/** Makes presses of what ink hears, which may be several keys at once; remembers whether a paste is going on. */
export function listener(): (input: string, key: Key) => Press[] {
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
    // Quick typing, or a slow line, brings several keys in one piece.
    return Array.from(input, (character): Press => {
      const known = named[character] ?? controlOf(character);
      return known ? { type: 'key', key: known } : { type: 'text', text: character };
    }).filter((press) => press.type === 'key' || press.text >= ' ');
  };
}

/** The name of a letter pressed with Ctrl. */
function controlOf(character: string): string | undefined {
  const code = character.charCodeAt(0);
  return code >= 1 && code <= 26 ? `ctrl-${String.fromCharCode(96 + code)}` : undefined;
}

function nameOf(input: string, key: Key): string | undefined {
  if (key.ctrl && input) return `ctrl-${input}`;
  if (key.tab) return key.shift ? 'backtab' : 'tab';
  if (key.return) return 'enter';
  // Terminals send for the backspace key what ink calls delete.
  if (key.backspace || key.delete) return 'backspace';
  if (key.escape) return 'escape';
  if (key.pageUp) return 'pageup';
  if (key.pageDown) return 'pagedown';
  return (
    (['up', 'down', 'left', 'right'] as const).find((arrow) => key[`${arrow}Arrow`]) ?? (['home', 'end'] as const).find((end) => key[end])
  );
}
