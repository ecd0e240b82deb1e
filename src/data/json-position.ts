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
