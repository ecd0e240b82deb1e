import { answerSchema } from '../model/fields/answer.ts';
import type { JsonSchema } from '../model/fields/field.ts';
import { resources } from '../model/resources/all.ts';

const text = (description: string) => ({ type: 'string', description });
const whole = (description: string) => ({ type: 'integer', description });

const parts: Record<string, Record<string, JsonSchema>> = {
  ImageSize: {
    width: whole('pixels'),
    height: whole('pixels'),
    'mime-type': text('kind of image'),
    filesize: whole('bytes'),
    url: text('its address'),
  },
  CostDetails: {
    currency_symbol: text('what stands by every number, when it is the same'),
    currency_code: text('ISO 4217'),
    currency_position: text('prefix or postfix'),
    values: { type: 'array', items: { type: 'string' }, description: 'the numbers, ascending' },
  },
  Image: { url: text('its address'), id: whole('its ID'), extension: text('how its name ends') },
  DateDetails: Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map((name) => [name, text('digits, zero-padded')]),
  ),
};

/** The schemas of the records that the API answers. Terms have all that categories have. */
export const schemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries({
      ...parts,
      Term: answerSchema(resources.categories.answer),
      Event: answerSchema(resources.events.answer),
      Venue: answerSchema(resources.venues.answer),
      Organizer: answerSchema(resources.organizers.answer),
    }).map(([name, properties]) => [name, { type: 'object', properties }]),
  );
