import { describe, expect, it } from 'vitest';
import { numberedSlug, slugOf } from '../../../src/model/fields/slug.ts';

describe('slugOf', () => {
  it.each([
    ['Summer Party', 'summer-party'],
    ['  Crème -- Brûlée!  ', 'creme-brulee'],
    ['Straße nach Århus', 'strase-nach-arhus'],
    ['Łódź, Þór & Đakovo', 'lodz-thor-dakovo'],
    ['Tiếng Việt', 'tieng-viet'],
    ['e\u0301t\u00e9', 'ete'],
    ['don’t “stop”…', 'dont-stop'],
    ['one—two–three\u00a0four', 'one-two-three-four'],
    ['v1.2/3', 'v1-2-3'],
    ['3×4', '3x4'],
    ['snake_case', 'snake_case'],
    ['R&amp;B &ndash; Soul', 'rb-soul'],
    ['R & B', 'r-b'],
    ['<b>Bold</b> <script>x</script>', 'bold-x'],
    ['a < b', 'a-b'],
    ['50% off', '50-off'],
    ['%E6%97%A5', '%e6%97%a5'],
    ['Дом', '%d0%b4%d0%be%d0%bc'],
    ['東', '%e6%9d%b1'],
    ['20€', '20e'],
    ['!?', ''],
    ['', ''],
  ])('%j', (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  it('counts characters that are dropped with their full encoding', () => {
    // %e2%80%99 has nine bytes, and 22 of them fit.
    expect(slugOf(`${'’'.repeat(22)}abc`)).toBe('ab');
    expect(slugOf(`${'’'.repeat(23)}abc`)).toBe('');
  });

  it('is cut to 200 bytes between characters', () => {
    expect(slugOf('a'.repeat(300))).toBe('a'.repeat(200));
    expect(slugOf('東'.repeat(300))).toBe('%e6%9d%b1'.repeat(22));
    expect(slugOf(`ab${'🎉'.repeat(300)}`)).toBe(`ab${'%f0%9f%8e%89'.repeat(16)}`);
  });

  it.each(['<', '%', '&', '東', ' ', '<a '])('is quick with a mebibyte of %j', (piece) => {
    expect(slugOf(piece.repeat(2 ** 20 / piece.length)).length).toBeLessThanOrEqual(200);
  });
});

describe('numberedSlug', () => {
  it.each([
    ['a', 2, 'a-2'],
    ['a-2', 12, 'a-2-12'],
    ['x'.repeat(200), 2, `${'x'.repeat(198)}-2`],
    ['x'.repeat(200), 10, `${'x'.repeat(197)}-10`],
    ['%e6%9d%b1'.repeat(22), 2, `${'%e6%9d%b1'.repeat(22)}-2`],
    [`aa${'%e6%9d%b1'.repeat(22)}`, 2, `aa${'%e6%9d%b1'.repeat(21)}-2`],
  ])('%j with %i', (slug, number, numbered) => {
    expect(numberedSlug(slug, number)).toBe(numbered);
  });
});
