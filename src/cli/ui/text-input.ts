/** A text being edited, and the position of its cursor in graphemes. */
export interface TextInput {
  value: string;
  cursor: number;
}

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export const textInput = (value: string): TextInput => ({ value, cursor: graphemes(value).length });

/** Inserts text at the cursor. */
export function insertText(draft: TextInput, text: string): TextInput {
  const characters = graphemes(draft.value);
  const before = characters.slice(0, draft.cursor).join('') + text;
  return { value: before + characters.slice(draft.cursor).join(''), cursor: graphemes(before).length };
}

/** Applies a key that moves the cursor or deletes text; returns undefined for other keys. */
export function editKey(draft: TextInput, key: string): TextInput | undefined {
  const characters = graphemes(draft.value);
  const { cursor } = draft;
  const without = (from: number, to: number): TextInput => ({
    value: [...characters.slice(0, from), ...characters.slice(to)].join(''),
    cursor: from,
  });
  const word = () => {
    let from = cursor;
    while (from > 0 && /\s/.test(characters[from - 1]!)) from--;
    while (from > 0 && !/\s/.test(characters[from - 1]!)) from--;
    return from;
  };
  const moves: Record<string, () => TextInput> = {
    left: () => ({ ...draft, cursor: Math.max(0, cursor - 1) }),
    right: () => ({ ...draft, cursor: Math.min(characters.length, cursor + 1) }),
    home: () => ({ ...draft, cursor: 0 }),
    end: () => ({ ...draft, cursor: characters.length }),
    backspace: () => (cursor > 0 ? without(cursor - 1, cursor) : draft),
    'ctrl-d': () => without(cursor, cursor + 1),
    'ctrl-u': () => without(0, cursor),
    'ctrl-k': () => without(cursor, characters.length),
    'ctrl-w': () => without(word(), cursor),
  };
  const move = moves[key] ?? moves[{ 'ctrl-a': 'home', 'ctrl-e': 'end', 'ctrl-b': 'left', 'ctrl-f': 'right' }[key] ?? ''];
  return move?.();
}
