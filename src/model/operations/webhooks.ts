import { namedSchema, operation, schema, type ValueOf } from './operation.ts';
import { count } from './summary.ts';

/** A message to one receiver. */
const webhookDelivery = namedSchema('WebhookDelivery', (z) =>
  z
    .object({
      id: z.int().min(1).describe('ID of the delivery, to send it again'),
      message_id: z.string().describe('The header webhook-id; the same for every attempt and receiver'),
      type: z.string().describe('Type of the message, like event.created'),
      url: z.string().describe('Address of the receiver'),
      attempts: count(z).describe('Number of attempts'),
      status: z.int().nullable().describe('Status of the last response; null without one'),
      error: z.string().nullable().describe('Error of the last attempt, if it got no response'),
      delivered: z.boolean().describe('True if the last attempt got a status from 200 to 299'),
    })
    .meta({ id: 'WebhookDelivery' }),
);
export type WebhookDelivery = ValueOf<typeof webhookDelivery>;

export const webhooks = {
  list: operation({
    id: 'webhooks',
    method: 'GET',
    path: '/webhooks',
    access: 'full',
    about: 'List the webhooks that were sent since the last reset',
    output: schema((z) => z.object({ webhooks: z.array(webhookDelivery(z)).describe('The webhooks, the oldest first') })),
  }),
  resend: operation({
    id: 'resendWebhook',
    method: 'POST',
    path: '/webhooks/{id}/resend',
    access: 'full',
    ofServer: true,
    about: 'Send a webhook again',
    example: '{ id: 1 }',
    input: schema((z) => z.strictObject({ id: z.coerce.number<number | string>().int().min(1).describe('ID of the webhook') })),
    output: webhookDelivery,
    failures: ['not-found'],
  }),
};
