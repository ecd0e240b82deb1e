import { expect, it } from 'vitest';
import { siteCurrency } from '../../../src/model/formats/site-currency.ts';

const event = (cost: string, symbol: string, position: string, code = '') => ({
  cost,
  cost_details: { currency_symbol: symbol, currency_position: position, currency_code: code, values: cost.match(/\d+/g) ?? [] },
});
const euros = { currency: '€', currency_position: 'postfix', currency_code: 'EUR' };

it.each([
  [[], {}],
  [[event('', '', '')], {}],
  [[event('', '', 'prefix')], {}],
  [[event('', '$', 'prefix', 'USD')], { currency_code: 'USD' }],
  [[event('', '€', 'suffix', 'EUR')], euros],
  [[event('12€', '€', 'suffix', 'EUR')], euros],
  [[event('12€', '€', 'postfix', 'EUR')], { currency_code: 'EUR' }],
  [[event('£5', '£', 'prefix', 'EUR'), event('', '€', 'suffix', 'EUR'), event('', '€', 'suffix', 'EUR')], euros],
  [[event('£5', '£', 'prefix', 'EUR'), event('12€', '', '')], euros],
  [[event('', 'kr', 'prefix')], { currency: 'kr' }],
  [[event('', '1', 'prefix'), event('', 'a long text', 'suffix')], {}],
])('the currency of the events %j is %j', (events, expected) => {
  expect(siteCurrency(events)).toEqual(expected);
});
