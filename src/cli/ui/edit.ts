/** A text that is being typed, and where the cursor stands, counted in characters as people see them. */
export interface Draft {
  value: string;
  at: number;
}

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people see them: an emoji with its modifiers is one. */
export function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** A text with the cursor at its end. */
export const draftOf = (value: string): Draft => ({ value, at: charactersOf(value).length });

/** The draft after some text is put in at the cursor. */
export function typed(draft: Draft, text: string): Draft {
  const characters = charactersOf(draft.value);
  const before = characters.slice(0, draft.at).join('') + text;
  return { value: before + characters.slice(draft.at).join(''), at: charactersOf(before).length };
}

/** The draft after a key that moves or deletes; undefined for any other key. */
export function edited(draft: Draft, key: string): Draft | undefined {
  const characters = charactersOf(draft.value);
  const { at } = draft;
  const without = (from: number, to: number): Draft => ({
    value: [...characters.slice(0, from), ...characters.slice(to)].join(''),
    at: from,
  });
  const word = () => {
    let from = at;
    while (from > 0 && /\s/.test(characters[from - 1]!)) from--;
    while (from > 0 && !/\s/.test(characters[from - 1]!)) from--;
    return from;
  };
  const moves: Record<string, () => Draft> = {
    left: () => ({ ...draft, at: Math.max(0, at - 1) }),
    right: () => ({ ...draft, at: Math.min(characters.length, at + 1) }),
    home: () => ({ ...draft, at: 0 }),
    end: () => ({ ...draft, at: characters.length }),
    backspace: () => (at > 0 ? without(at - 1, at) : draft),
    'ctrl-d': () => without(at, at + 1),
    'ctrl-u': () => without(0, at),
    'ctrl-k': () => without(at, characters.length),
    'ctrl-w': () => without(word(), at),
  };
  const move = moves[key] ?? moves[{ 'ctrl-a': 'home', 'ctrl-e': 'end', 'ctrl-b': 'left', 'ctrl-f': 'right' }[key] ?? ''];
  return move?.();
}
