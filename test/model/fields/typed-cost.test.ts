import { describe, expect, it } from 'vitest';
import { formatCost } from '../../../src/model/fields/cost-format.ts';
import { changedCost, typedCost } from '../../../src/model/fields/typed-cost.ts';

describe('a cost that people type', () => {
  it.each([
    ['€8 – €12', ['€8', '€12'], '€8 – €12'],
    ['£5-£7', ['£5', '£7'], '£5 – £7'],
    ['€12/€15', ['€12', '€15'], '€12 – €15'],
    ['12,50 € / 15 €', ['12.50 €', '15 €'], '12.50€ – 15€'],
    ['1.049,50 €', ['1049.50 €'], '1049.50€'],
    ['9,50 €', ['9,50 €'], '9,50€'],
    ['1,234.50 €', ['1234.50 €'], '1234.50€'],
    ["CHF 1'234.50", ['CHF 1234.50'], 'CHF1234.50'],
    ['1 234,50 €', ['1234.50 €'], '1234.50€'],
    ['$1,234', ['$1234'], '$1234'],
    ['CHF 20.–', ['CHF 20'], 'CHF20'],
    ['20,- €', ['20 €'], '20€'],
    ['20 kr', ['20 kr'], '20kr'],
    ['20 – 30 kr', ['20 kr', '30 kr'], '20kr – 30kr'],
    ['CHF 20 – CHF 30', ['CHF 20', 'CHF 30'], 'CHF20 – CHF30'],
    ['CHF 20 – 30', ['CHF 20', 'CHF 30'], 'CHF20 – CHF30'],
    ['US$10-US$20', ['US$10', 'US$20'], 'US$10 – US$20'],
    ['€8 to €12', ['€8', '€12'], '€8 – €12'],
    ['8 bis 12 €', ['€8', '€12'], '€8 – €12'],
    ['€8, €10, €12', ['€8', '€10', '€12'], '€8 – €12'],
    ['8 – 12', ['8', '12'], '$8 – $12'],
    ['8-12€', ['8€', '12€'], '8€ – 12€'],
    ['Free – 30$', ['0$', '30$'], 'Free – 30$'],
    ['€8 – 12', ['€8', '€12'], '€8 – €12'],
    ['€8 – 12 €', ['€8', '€12'], '€8 – €12'],
    ['15', ['15'], '$15'],
    ['€15', ['€15'], '€15'],
    ['Free – €10', ['€0', '€10'], 'Free – €10'],
    ['0 – 10 €', ['€0', '€10'], 'Free – €10'],
    ['ab 10 €', ['ab 10 €'], 'ab  €10'],
    ['from $10', ['from $10'], 'from $10'],
    ['10 € reduced', ['10 € reduced'], '10€ reduced'],
    ['Free', ['Free'], 'Free'],
    ['Donation', ['Donation'], 'Donation'],
    ['Pay what you can', ['Pay what you can'], 'Pay what you can'],
    ['', [], ''],
    ['  €5 ', ['€5'], '€5'],
  ])('%s', (text, list, shown) => {
    expect(typedCost(text)).toEqual({ list, otherwise: list.length < 2 ? undefined : typedCost(text).otherwise });
    expect(formatCost(list)).toBe(shown);
    // What was read is read as itself.
    expect(list.flatMap((each) => typedCost(each).list)).toEqual(list);
  });

  it.each([
    ['€14 - €22', 'is shown as "$14 – $22"'],
    ['12,50 € / 15 €', 'is shown as "$15"'],
    ['8 – 12', undefined],
  ])('%s as a single text %s', (text, otherwise) => expect(typedCost(text).otherwise).toBe(otherwise));

  it.each([
    ['VVK 12 € / AK 15 €', ['12 €', '15 €']],
    ['10 adults, 5 kids', ['10', '5']],
    ['€12 adults, €6.50 under 18', ['€12', '€6.50']],
    ['Free, €5 suggested', ['€0', '€5']],
  ])('%s names several prices with words', (text, list) => {
    expect(typedCost(text)).toEqual({ list, reason: 'names several prices with words, which the API does not keep' });
  });

  it.each([
    ['€10 / $12', '$10 – $12'],
    ['From $10 at the door', 'From $ at the door10'],
    ['1e3', '$1 – $3'],
    ['−5 €', '− €5'],
  ])('%s is refused with what it would have become', (text, shown) => {
    expect(typedCost(text)).toEqual({ list: [], reason: `would be shown as "${shown}"` });
  });

  it('that is negative is refused', () =>
    expect(typedCost('-5')).toEqual({ list: [], reason: 'is negative, which the API does not keep' }));

  it.each(['CHF20', 'EUR 5', 'from 5', 'Donation', '€8 – €12'])('%s needs no note, because it is shown as it was typed', (text) => {
    const typed = typedCost(text);
    expect(changedCost(text, typed.list.length ? typed.list : [text], typed)).toBeUndefined();
  });
});
