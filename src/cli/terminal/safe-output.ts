import { hasColor, type OutputStream, type Terminal } from './terminal.ts';

// Escape sequences could rewrite the screen; bidirectional characters could make text look like other text.
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control and bidirectional characters with visible signs, except line breaks and tabs. */
export function escapeControls(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0d) return '\n';
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '�';
  });
}

/** Writes these characters of a JSON text as JSON escapes, so that it means the same. */
export const escapeInJson = (json: string): string =>
  json.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Stands around the program's own sequences. No text of others contains it, because it can't be guessed. */
let mark: string | undefined;

/** Marks a sequence for the terminal as the program's own, which an output writes as it is. */
export function ownSequence(sequence: string): string {
  mark ??= `\0${crypto.randomUUID()}\0`;
  return mark + sequence + mark;
}

/** The text that a terminal gets: the program's own sequences as they are, and everything else escaped. `escapes` is false for a pipe. */
export function renderOutput(text: string, escapes = true): string {
  const parts = mark === undefined ? [text] : text.split(mark);
  return parts.map((part, at) => (escapes && at % 2 === 0 ? escapeControls(part) : part)).join('');
}

type Style = (text: string) => string;
const styles = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

/** Functions that style a text, which is not styled itself, or leave it as it is. */
export function createColors(color: boolean): Record<keyof typeof styles, Style> {
  const styled = ([open, close]: readonly [number, number]): Style =>
    color ? (text) => `${ownSequence(`\x1b[${open}m`)}${text}${ownSequence(`\x1b[${close}m`)}` : (text) => text;
  return Object.fromEntries(Object.entries(styles).map(([name, codes]) => [name, styled(codes)])) as ReturnType<typeof createColors>;
}

export const paintFor = (output: OutputStream, env: Terminal['env'], isWanted?: boolean) => createColors(hasColor(output, env, isWanted));

/** Sequences of ink and readline, which move the cursor, erase and color. Those of titles, links and the clipboard are not part of it. */
const cursorSequences = /(\x1b\[[\d;?]*[A-Za-z]|\r)/;

/** Cursor sequences as they are, and everything else escaped. */
const renderScreen = (text: string): string =>
  text
    .split(cursorSequences)
    .map((part, at) => (at % 2 ? part : escapeControls(part)))
    .join('');

/** The same stream, with what is written changed by `render`; bytes as they are, unless it `escapes`. Properties and listeners are those of the stream. */
function outputWith(stream: OutputStream, render: (text: string) => string, escapes: boolean, screen?: OutputStream): OutputStream {
  const write = (chunk: string | Uint8Array, ...rest: never[]) => {
    if (typeof chunk !== 'string' && !escapes) return stream.write(chunk, ...rest);
    return stream.write(render(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...rest);
  };
  return new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      if (name === 'screen') return screen;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * A terminal whose outputs escape everything but the program's own sequences: stdout if it is a terminal, and stderr always, because messages in a log are
 * read on a terminal, too. Streams are opened when they are first used.
 */
export function withSafeOutputs(terminal: Terminal): Terminal {
  const outputs = new Map<'stdout' | 'stderr', OutputStream>();
  const output = (name: 'stdout' | 'stderr') => {
    const stream = outputs.get(name) ?? terminal[name];
    if (outputs.has(name)) return stream;
    const escapes = name === 'stderr' || stream.isTTY === true;
    const safe = outputWith(stream, (text) => renderOutput(text, escapes), escapes, outputWith(stream, renderScreen, true));
    outputs.set(name, safe);
    return safe;
  };
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(terminal),
      stdout: { get: () => output('stdout'), enumerable: true },
      stderr: { get: () => output('stderr'), enumerable: true },
    },
  ) as Terminal;
}

/** The output for ink and readline, which move the cursor. */
export const screenOf = (output: OutputStream): OutputStream => (output as { screen?: OutputStream }).screen ?? output;
