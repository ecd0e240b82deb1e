import { Failure } from '../model/error.ts';

/** Parses JSON. Throws `rest_invalid_json` with the line and column of the error. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = validPrefixLength(text);
    const before = text.slice(0, end).split('\n');
    const at = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    const reason =
      end === text.length
        ? 'unexpected end of the text'
        : (error as Error).message.replace(/( in JSON)? at position \d+.*$|, .*is not valid JSON$/s, '');
    throw new Failure('rest_invalid_json', `${name}: invalid JSON at ${at}: ${reason}`, undefined, {
      problems: [{ at, reason: `invalid JSON: ${reason}` }],
    });
  }
}

/**
 * The line of a path such as `events.opening.title` or `users[0].role` in a JSON text. For a missing member, returns the line of the object. Returns undefined if no
 * part of the path exists.
 */
export const lineOf = (text: string, at: string): number | undefined => lineFinder(text)(at);

/** A function that returns the line of a path like {@link lineOf}. */
export function lineFinder(text: string): (at: string) => number | undefined {
  const lines = linesIn(text);
  return (at) => {
    const steps = at.split(/(?=[.[])/);
    while (steps.length > 0 && !lines.has(steps.join(''))) steps.pop();
    return lines.get(steps.join(''));
  };
}

function linesIn(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  /** Open objects and lists, with the index of the current item. */
  const open: { path: string; item?: number }[] = [];
  let [line, path, last] = [1, '', ''];
  /** True if the next token is the first of the item at `path`. */
  let isItemStart = false;
  const inside = (name: string) => (open.at(-1)?.path ? `${open.at(-1)!.path}.${name}` : name);
  const item = (number: number) => {
    open.at(-1)!.item = number;
    path = `${open.at(-1)!.path}[${number}]`;
    isItemStart = true;
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}:,\n]/gs)) {
    if (token === '\n') {
      line += 1;
      continue;
    }
    if (isItemStart) lines.set(path, line);
    isItemStart = false;
    if (token === '{' || token === '[') {
      open.push({ path });
      if (token === '[') item(0);
    } else if (token === '}' || token === ']') path = open.pop()?.path ?? '';
    else if (token === ':') {
      path = inside(String(JSON.parse(last)));
      lines.set(path, line);
    } else if (token === ',') {
      const number = open.at(-1)?.item;
      if (number !== undefined) item(number + 1);
    } else last = token;
  }
  return lines;
}

/** The length of the longest prefix of valid JSON. Uses bisection, since engines don't always report a position. */
function validPrefixLength(text: string): number {
  let [valid, invalid] = [0, text.length + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isPrefix(text.slice(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function isPrefix(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message);
    return /Unexpected end|Unterminated string/.test(message) || (position !== null && Number(position[1]) >= text.length);
  }
}
