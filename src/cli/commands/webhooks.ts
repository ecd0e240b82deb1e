import type { Command } from 'commander';
import type { WebhookDelivery } from '../../model/operations/webhooks.ts';
import { operate } from '../connect/operate.ts';
import { count } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';

/** `calendar webhooks`: the webhooks that a server sent. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List the webhooks since the last reset')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('resend')
    .summary('Send a webhook again')
    .argument('<id>', 'ID of the webhook', count)
    .action(runner.action((session, [id]) => resend(session, Number(id))));
}

const stateOf = ({ delivered, status, error, attempts }: WebhookDelivery): string =>
  delivered ? 'delivered' : attempts === 0 ? 'pending' : (error ?? `status ${status}`);
const cellsOf = (each: WebhookDelivery) => [String(each.id), each.type, each.url, stateOf(each)];

async function list(session: Session, json: boolean): Promise<undefined> {
  const { webhooks } = await operate(session, 'served', 'webhooks');
  await session.print(json ? `${JSON.stringify(webhooks, null, 2)}\n` : alignColumns(webhooks.map(cellsOf)));
}

async function resend(session: Session, id: number): Promise<undefined> {
  await session.print(alignColumns([cellsOf(await operate(session, 'served', 'resendWebhook', { id }))]));
}
