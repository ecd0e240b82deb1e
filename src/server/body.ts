import { Failure } from '../model/error.ts';
import type { Input } from '../model/resource.ts';

/** The names of a parameter in brackets: `venue[city]` is venue, city; `tags[]` is tags and an empty one. */
const path = (name: string): string[] => {
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !name.endsWith(']')) return [name];
  return [name.slice(0, bracket), ...name.slice(bracket + 1, -1).split('][')];
};

const mostDeep = 8;
const isUnsafe = (key: string) => key === '__proto__' || key === 'constructor' || key === 'prototype';

/** Pairs of a query or a form as nested values: `a[]=1&a[]=2` is a list, `v[city]=x` an object; of a plain name the last counts. */
export function nested(pairs: Iterable<[string, string]>): Input {
  const values: Input = {};
  for (const [name, value] of pairs) {
    const keys = path(name).slice(0, mostDeep);
    if (keys.some(isUnsafe)) continue;
    let at = values;
    keys.slice(0, -1).forEach((key, depth) => {
      const next = keys[depth + 1]!;
      const slot = key === '' ? String(Object.keys(at).length) : key;
      if (typeof at[slot] !== 'object' || at[slot] === null) at[slot] = next === '' || /^\d+$/.test(next) ? [] : {};
      at = at[slot] as Input;
    });
    const last = keys.at(-1)!;
    if (Array.isArray(at)) at.push(value);
    else at[last === '' ? String(Object.keys(at).length) : last] = value;
  }
  return values;
}

/** The fields of a multipart body. */
async function multipart(body: Uint8Array, type: string): Promise<Input> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return nested([...form].filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  } catch {
    throw new Failure('bad-request', 'the multipart body cannot be read');
  }
}

function json(text: string): Input {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Input) : {};
  } catch {
    throw new Failure('rest_invalid_json', 'the body is not valid JSON', { json_error_code: 4, json_error_message: 'Syntax error' });
  }
}

/** What a body says: JSON, a form, or multipart, as its content type tells; nothing for other types. */
export async function inputOf(body: Uint8Array, contentType: string): Promise<Input> {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (!body.length) return {};
  if (/^application\/(json|[\w.+-]+\+json)$/.test(type.trim())) return json(new TextDecoder().decode(body));
  if (type.trim() === 'multipart/form-data') return multipart(body, contentType);
  if (type.trim() === 'application/x-www-form-urlencoded') return nested(new URLSearchParams(new TextDecoder().decode(body)));
  return {};
}
