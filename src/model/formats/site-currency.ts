import { isObject } from '../fields/coerce.ts';
import { defaultCurrency } from '../fields/cost-format.ts';
import { decodeEntities } from '../html/plain-text.ts';
import { commonest } from './site-slugs.ts';

/** The settings of a currency. */
interface SiteCurrency {
  currency?: string;
  currency_position?: 'prefix' | 'postfix';
  currency_code?: string;
}

/**
 * The currency of the events of a site, as far as it differs from the default: that of prices without a sign in their details, or else the most
 * frequent one that the form of a site stored, also without a price.
 */
export function siteCurrency(events: readonly Record<string, unknown>[]): SiteCurrency {
  const details = events.map(({ cost_details }) => (isObject(cost_details) ? cost_details : {}));
  const code = details.map(({ currency_code }) => currency_code).find((each) => typeof each === 'string' && /^[A-Z]{3}$/.test(each));
  const typed = events.flatMap(({ cost }, at) => {
    const isPlain = details[at]!.currency_symbol === '' && typeof cost === 'string';
    const [, before, after] =
      (isPlain && /^([^\d\s–]{0,10})\d[\d.,]{0,19}([^\d\s–]{0,10})$/.exec(decodeEntities(cost).split(' – ').at(-1)!)) || [];
    const [position, sign] = before ? ['prefix', before] : ['postfix', after];
    return sign && /[\p{L}\p{Sc}]/u.test(sign) ? [`${position} ${sign}`] : [];
  });
  const isOfForm = ({ currency_position: position, values }: Record<string, unknown>) =>
    position === 'suffix' || (Boolean(position) && Array.isArray(values) && !values.length);
  const stored = details
    .filter(isOfForm)
    .flatMap(({ currency_symbol: sign, currency_position: position }) =>
      typeof sign === 'string' && /^[^\d\s]{1,8}$/.test(sign) ? [`${position === 'prefix' ? 'prefix' : 'postfix'} ${sign}`] : [],
    );
  const common = typed[0] ?? commonest(stored);
  if (common === undefined) return code === undefined ? {} : { currency_code: code as string };
  const [position, sign] = common.split(' ') as ['prefix' | 'postfix', string];
  return {
    ...(sign === defaultCurrency.symbol ? {} : { currency: sign }),
    ...(position === defaultCurrency.position ? {} : { currency_position: position }),
    ...(code === undefined ? {} : { currency_code: code as string }),
  };
}
