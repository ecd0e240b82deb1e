import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filesWithOptions, optionTypes } from '../../scripts/server-options.ts';

it.each(Object.entries(filesWithOptions()))('%s contains what npm run codegen makes', (file, text) => {
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('the types of options with plain values have their texts, with example and default', () => {
  expect(optionTypes()).toContain(
    '  /** Path before the namespace, like `/wp-json`. With `/blog/wp-json`, the site is in the folder `/blog`: its pages, feeds and images too. */\n  basePath?: string;\n',
  );
  expect(optionTypes()).toContain('  /** Maximum number of worlds (default 256). */\n  maxWorlds?: number;\n');
  expect(optionTypes()).toMatch(/durability\?: 'full' \| 'os' \| 'none';/);
  expect(optionTypes()).toMatch(/without\?: readonly \('geolocation' \| 'tickets'\)\[\];/);
  expect(optionTypes()).not.toMatch(/ (?:memory|watch|upstream|seed)?:/);
});
