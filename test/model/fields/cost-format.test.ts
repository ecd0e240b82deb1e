import { describe, expect, it } from 'vitest';
import { costDetails, formatCost, parseCost } from '../../../src/model/fields/cost-format.ts';

describe('parseCost', () => {
  it.each([
    [12, ['12']],
    [7.5, ['7.5']],
    [' $8 ', ['$8']],
    [
      ['1', 2, ''],
      ['1', '2'],
    ],
    ['<i>9</i>', ['9']],
    ['', []],
    [null, []],
    [undefined, []],
    [{ a: 1 }, []],
  ])('%j', (input, stored) => {
    expect(parseCost(input)).toEqual(stored);
  });
});

describe('costs', () => {
  it.each([
    ['15', '$15', '', '', ['15']],
    ['$15.25', '$15.25', '$', 'prefix', ['15.25']],
    ['15 zł', '15zł', 'zł', 'postfix', ['15']],
    ['EUR 15', 'EUR15', 'EUR', 'prefix', ['15']],
    ['7,50', '$7,50', '', '', ['7.50']],
    ['2,500', '$2,500', '', '', ['2500']],
    ['€6.50 - €8.50', '$6.50 – $8.50', '', '', ['6.50', '8.50']],
    ['20-5', '$5 – $20', '', '', ['5', '20']],
    ['0', 'Free', '', '', ['0']],
    ['0.004', 'Free', '', '', ['0.004']],
    ['0.04', '$0.04', '', '', ['0.04']],
    ['0-5', 'Free – $5', '', '', ['0', '5']],
    ['Ask us', 'Ask us', '', '', ['ask-us']],
    ['A & B', 'A &amp; B', '', '', ['a-b']],
    ['about $3 each', 'about $ each3', 'about $ each', '', ['3']],
    [['0$', '20$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '20', '30']],
    [['$5', '7€'], '$5 – $7', '', '', ['5', '7']],
    [['Free', '£4'], '£4', '£', 'prefix', ['free', '4']],
    [[9, '9'], '$9', '', '', ['9']],
    [['x', 'y'], 'Free', '', '', ['x', 'y']],
    [[], '', '', '', []],
  ])('%j is shown as %j', (input, shown, symbol, position, values) => {
    const raws = parseCost(input);
    expect(formatCost(raws)).toBe(shown);
    expect(costDetails(raws)).toEqual({ currency_symbol: symbol, currency_code: '', currency_position: position, values });
  });

  it('takes symbol and position of the calendar where a cost has none', () => {
    const settings = { symbol: '€', code: 'EUR', position: 'postfix' } as const;
    expect(formatCost(['5'], settings)).toBe('5€');
    expect(formatCost(['$5'], settings)).toBe('$5');
    expect(costDetails(['$5'], settings).currency_code).toBe('EUR');
    expect(costDetails(['5'], settings).currency_code).toBe('');
  });

  it.each(['1', '1.', '1 ', ',', 'a', ' '])('is quick with a quarter of a mebibyte of %j', (piece) => {
    const raws = parseCost(`${piece.repeat(2 ** 18 / piece.length)}x`);
    formatCost(raws);
    costDetails(raws);
  });
});
