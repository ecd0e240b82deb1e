/** Text before JSON is at most this long, in characters. */
const maxPreamble = 65_536;
/** Number of positions at which JSON is tried. */
const maxTries = 50;

/** JSON and the text before it. */
export interface FoundJson {
  json: string;
  /** First line of the text before it; empty for a byte order mark. */
  line: string;
}

/** Returns the JSON object or list in a body that doesn't start with it, as behind a notice of PHP; undefined if the body starts with JSON, or contains none. */
export function jsonAfterText(body: string): FoundJson | undefined {
  if (/^[ \t\r\n]*(\{|\[\s*[\]{["])/.test(body) || /^\s*(<!doctype|<html)/i.test(body)) return undefined;
  const starts = body.slice(0, maxPreamble).matchAll(/\{\s*["}]|\[\s*[\]{]/g);
  let tries = 0;
  for (const { index } of starts) {
    if (++tries > maxTries) return undefined;
    const json = body.slice(index);
    if (!/[\]}]\s*$/.test(json)) return undefined;
    if (isJson(json)) return { json, line: firstLine(body.slice(0, index)) };
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const firstLine = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replace(/\uFEFF/g, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
    ?.slice(0, 200) ?? '';
