import { describe, expect, it } from 'vitest';
import { posterOf } from '../../../src/model/images/poster.ts';

const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

describe('a poster', () => {
  it('has the size, the title and the color', () => {
    const svg = posterOf('Jazz night', 0, [300, 200]);
    expect(svg).toContain('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" viewBox="0 0 300 200"');
    expect(svg).toContain('fill="rgb(45,82,118)"');
    expect(textsOf(svg)).toEqual(['Jazz night']);
    expect(posterOf('Jazz night', 0, [300, 200])).toBe(svg);
    expect(posterOf('Jazz night', 1, [300, 200])).not.toBe(svg);
  });
  it.each([
    ['<script>alert("1")</script> & co', ['&lt;script&gt;alert(&quot;1&quot;…', '&amp; co']],
    ['', []],
    ['one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen', undefined],
    ['Sommerfestspielhauseröffnungsfeier', ['Sommerfestspielha…']],
    ['a\0b\x1b\ufffe\ud800c', ['ab\ufffdc']],
    ['🎷'.repeat(30), [`${'🎷'.repeat(17)}…`]],
  ])('of %j has these lines', (title, lines) => {
    const texts = textsOf(posterOf(title, 3, [150, 150]));
    if (lines) expect(texts).toEqual(lines);
    else expect([texts.length, texts.at(-1)]).toEqual([4, expect.stringMatching(/…$/)]);
  });
});
