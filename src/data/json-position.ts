import { Failure } from '../model/error.ts';

/** Parses JSON. Fails with `rest_invalid_json`, naming the line and column where the text stops being JSON. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const end = validPrefixLength(text);
    const before = text.slice(0, end).split('\n');
    const at = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    const reason =
      end === text.length
        ? 'the text ends in the middle'
        : (error as Error).message.replace(/( in JSON)? at position \d+.*$|, .*is not valid JSON$/s, '');
    throw new Failure('rest_invalid_json', `${name} is not JSON: ${at}: ${reason}`, { problems: [{ at: `is not JSON: ${at}`, reason }] });
  }
}

/**
 * The line of a JSON text in which something stands that messages call `events.opening.title` or `users[0].role`; what is missing would stand in what it is missing from. Undefined for
 * what is not in the text.
 */
export function lineOf(text: string, at: string): number | undefined {
  const lines = linesIn(text);
  const steps = at.split(/(?=[.[])/);
  while (steps.length > 0 && !lines.has(steps.join(''))) steps.pop();
  return lines.get(steps.join(''));
}

/** The line of every member and item of a JSON text, by its path. */
function linesIn(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  /** What is open, with the number of the item in a list. */
  const open: { path: string; item?: number }[] = [];
  let [line, path, last] = [1, '', ''];
  /** Whether the next token is the first of the item that `path` names. */
  let begins = false;
  const inside = (name: string) => (open.at(-1)?.path ? `${open.at(-1)!.path}.${name}` : name);
  const item = (number: number) => {
    open.at(-1)!.item = number;
    path = `${open.at(-1)!.path}[${number}]`;
    begins = true;
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,\n]/gs)) {
    if (token === '\n') {
      line += 1;
      continue;
    }
    if (begins) lines.set(path, line);
    begins = false;
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

/** The length of the longest prefix that some JSON text begins with. Found by bisection, since engines do not always report a position. */
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
