import { Failure } from '../../model/error.ts';
import type { Webhooks } from '../../server/webhooks/webhooks.ts';
import type { Implementations, OperationContext } from './context.ts';

function webhooksOf({ world: { served } }: OperationContext): Webhooks {
  if (served?.webhooks) return served.webhooks;
  throw new Failure('bad-request', 'This calendar sends no webhooks', 'Start the server with --webhook URL.');
}

export const webhooks: Implementations<'webhooks'> = {
  list: (context) => ({ webhooks: webhooksOf(context).list() }),
  resend: (context, { id }) => webhooksOf(context).resend(Number(id)),
};
