import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { elsewhere, states, visited } from './states.ts';

const app = new URL('../../src/web/app/', import.meta.url);

/** The layers and notices of a component, as `FILE TAG LABEL`. */
function layersOf(file: string): string[] {
  const text = readFileSync(new URL(file, app), 'utf8');
  const tags = [...text.matchAll(/<(Modal|Floating|Confirm|Notice)\b([^>]*)>/g)].map(({ 1: tag, 2: attributes = '' }) => {
    const [, words, code = ''] = /\b(?:title|label)=(?:"([^"]*)"|\{\s*`?([^}`$]*))/.exec(attributes) ?? [];
    return `${file} ${tag} ${(words ?? code.split(/\s+[?=]/)[0]!).trim()}`.trim();
  });
  const others = [...text.matchAll(/<(details)\b|role="(listbox)"|class="(menu-items)\b/g)].map(
    ([, details, listbox, menu]) => `${file} ${details ?? listbox ?? menu}`,
  );
  const counts = new Map<string, number>();
  return [...tags, ...others].map((name) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) === 1 ? name : `${name} #${counts.get(name)}`;
  });
}

const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));

it('each layer and notice of the page is reached by a state or a test', () => {
  const names = [...states.flatMap(({ shows = [] }) => shows), ...Object.keys(elsewhere)];
  const layers = files.sort().flatMap(layersOf);
  const isNamed = (layer: string) => names.includes(layer);
  expect(layers.filter((layer) => !isNamed(layer))).toEqual([]);
  expect(names.filter((name) => !layers.includes(name))).toEqual([]);
});

it('states have names of their own', () => {
  expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
});

it.each(visited)('%s is reached by %s: %s', (_, file, test) => {
  expect(readFileSync(new URL(`browser/${file}.long.test.ts`, import.meta.url), 'utf8')).toContain(test);
});
