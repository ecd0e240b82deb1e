import { createHmac, randomBytes } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import type { WebhookDelivery } from '../../model/operations/webhooks.ts';

/** The receivers of a server and their secret. */
export interface WebhookOptions {
  urls: readonly string[];
  /** `whsec_` and base64 of 24 to 64 bytes. */
  secret: string | undefined;
  /** Times between the attempts, in ms. */
  backoffMs?: readonly number[];
  /** Called with messages for the user. */
  notice?(text: string): void;
}

/** A message, as the Standard Webhooks specification describes it. */
export interface WebhookMessage {
  type: string;
  /** Time of the calendar's clock. */
  timestamp: string;
  data: unknown;
}

/** Maximum number of deliveries that can be sent again. */
const maxKept = 1000;
const timeoutMs = 10_000;

/** Returns the key in a secret. Throws `bad-request`. */
export function keyOf(secret: string | undefined): Buffer {
  const key = Buffer.from(secret?.replace(/^whsec_/, '') ?? '', 'base64');
  if (secret?.startsWith('whsec_') && /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && key.length >= 24 && key.length <= 64) return key;
  throw new Failure(
    'bad-request',
    secret === undefined ? 'Webhooks require a secret' : 'Invalid webhook secret',
    {},
    'Set CALENDAR_WEBHOOK_SECRET to whsec_ and the base64 of 24 to 64 bytes: echo "whsec_$(openssl rand -base64 32)"',
  );
}

/** Throws `bad-request` for an address that webhooks can't be sent to. */
export function checkWebhookUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).username === '') return;
  throw new Failure('bad-request', `Invalid webhook URL ${JSON.stringify(url)}`, {}, 'Use one like http://127.0.0.1:3000/webhooks.');
}

/** Sends messages to the receivers of a server, each with up to three retries. Follows no redirect. */
export class Webhooks {
  readonly #urls: readonly string[];
  readonly #key: Buffer;
  readonly #backoffMs: readonly number[];
  readonly #notice: (text: string) => void;
  #deliveries: (WebhookDelivery & { body: string })[] = [];
  #next = 1;
  #epoch = new AbortController();

  /** Throws `bad-request` for an invalid secret or address. */
  constructor({ urls, secret, backoffMs = [1000, 5000, 25_000], notice = () => {} }: WebhookOptions) {
    this.#key = keyOf(secret);
    for (const url of urls) checkWebhookUrl(url);
    this.#urls = urls;
    this.#backoffMs = backoffMs;
    this.#notice = notice;
  }

  /** Sends a message to every receiver. */
  send(message: WebhookMessage): void {
    const body = JSON.stringify(message);
    const message_id = `msg_${randomBytes(12).toString('hex')}`;
    for (const url of this.#urls) {
      const delivery = {
        ...{ id: this.#next, message_id, type: message.type, url, attempts: 0, status: null, error: null, delivered: false },
        body,
      };
      this.#next += 1;
      this.#deliveries.push(delivery);
      this.#deliver(delivery);
    }
    this.#deliveries = this.#deliveries.slice(-maxKept);
  }

  list(): WebhookDelivery[] {
    return this.#deliveries.map(({ body: _, ...delivery }) => ({ ...delivery }));
  }

  /** Sends a message again with the same ID. Resolves after its attempts. Throws `not-found`. */
  async resend(id: number): Promise<WebhookDelivery> {
    const found = this.#deliveries.find((each) => each.id === id);
    if (!found) throw new Failure('not-found', `Webhook delivery ${id} not found`);
    await this.#deliver(found);
    const { body: _, ...delivery } = found;
    return delivery;
  }

  /** Drops every delivery, also those in progress. */
  reset(): void {
    this.#epoch.abort();
    this.#epoch = new AbortController();
    this.#deliveries = [];
  }

  async #deliver(delivery: WebhookDelivery & { body: string }): Promise<void> {
    const { signal } = this.#epoch;
    for (const pauseMs of [...this.#backoffMs, undefined]) {
      await this.#attempt(delivery, signal);
      if (delivery.delivered || signal.aborted) return;
      if (pauseMs === undefined) break;
      await pause(pauseMs, signal);
      if (signal.aborted) return;
    }
    this.#notice(`Webhook ${delivery.type} was not delivered to ${delivery.url}: ${delivery.error ?? `status ${delivery.status}`}`);
  }

  async #attempt(delivery: WebhookDelivery & { body: string }, signal: AbortSignal): Promise<void> {
    const { message_id, body, url } = delivery;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', this.#key).update(`${message_id}.${timestamp}.${body}`).digest('base64');
    delivery.attempts += 1;
    Object.assign(delivery, { status: null, error: null });
    try {
      const response = await fetch(url, {
        ...{ method: 'POST', body, redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
        headers: {
          'content-type': 'application/json',
          'webhook-id': message_id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${signature}`,
        },
      });
      delivery.status = response.status;
      delivery.delivered = response.ok;
      await response.body?.cancel();
    } catch (error) {
      const { message, cause } = error as Error;
      delivery.error = cause instanceof Error && cause.message ? cause.message : message;
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end);
  });
}
