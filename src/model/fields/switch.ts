import { isTruthy } from './coerce.ts';
import type { FieldKind } from './field.ts';

const yes = ['yes', 'true', '1', 'x', 'on', 'ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'sì', 'verdadero', 'vero', 'waar'];
const no = ['no', 'false', '0', 'off', '', 'nein', 'falsch', 'non', 'faux', 'falso', 'nee', 'onwaar'];

/** Returns whether a word in a table means no. */
export const isNo = (word: string): boolean => no.includes(word.toLowerCase());

/** Common members of switches. */
const switched = (about: string, on: unknown, off: unknown, initial: 0 | 1) =>
  ({
    about,
    switch: { on, off },
    control: 'switch',
    options: ['no', 'yes'],
    check: () => undefined,
    column: { type: 'INTEGER', default: initial },
    stored: (value) => (isTruthy(value) ? 1 : 0),
    ignoresNull: true,
    restored: (value) => (value === 1 ? on : off),
    empty: initial === 1 ? on : off,
    show: (value) => value === 1,
    redacted: null,
    isAbsent: () => false,
    toCell: (value) => String(value ?? initial === 1),
    fromCell: (text) => {
      const word = text.toLowerCase();
      return yes.includes(word) ? on : no.includes(word) ? off : text;
    },
  }) satisfies Partial<FieldKind>;

/** A switch with the values true, false, 1 or 0, or these as text. */
export const flag = (about: string, more: Partial<FieldKind> = {}): FieldKind => ({
  ...switched(about, true, false, 0),
  wire: { type: 'boolean' },
  schema: (z) => z.boolean(),
  response: { type: 'boolean', description: about },
  fromResponse: (value) => (typeof value === 'boolean' ? value : undefined),
  ...more,
});

/** A switch that this wire declares as text, on by default; any word that does not mean yes is a no. */
export const wordFlag = (about: string): FieldKind => ({
  ...switched(about, 'true', 'false', 1),
  control: 'word switch',
  wire: { type: 'string', default: null },
  always: true,
  response: { type: 'boolean', description: about },
  schema: (z) => z.string(),
  onRepeat: 1,
  fromResponse: (value) => (value === undefined ? undefined : String(value !== false)),
});
