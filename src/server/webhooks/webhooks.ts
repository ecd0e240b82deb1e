import { createHmac, randomBytes } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import type { WebhookDelivery } from '../../model/operations/webhooks.ts';
import { withTimeout } from '../../model/time/with-timeout.ts';
import { worldHeader } from '../../model/worlds.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { pause } from './pause.ts';
import { postWithFaults } from './with-faults.ts';

/** The receivers of a server and their secret. */
export interface WebhookOptions {
  urls: readonly string[];
  /** `whsec_` and base64 of 24 to 64 bytes. */
  secret: string | undefined;
  /** Times between the attempts, in ms. */
  backoffMs?: readonly number[];
  /** Timeout of an attempt, in ms (default: ten seconds). */
  timeoutMs?: number;
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

/** Maximum number of deliveries that can be sent again, for each world. */
const maxKept = 300;
const defaultTimeoutMs = 10_000;

/** Returns the key in a secret. Throws `bad-request`. */
export function keyOf(secret: string | undefined): Buffer {
  const key = Buffer.from(secret?.replace(/^whsec_/, '') ?? '', 'base64');
  if (secret?.startsWith('whsec_') && /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret) && key.length >= 24 && key.length <= 64) return key;
  throw new Failure(
    'bad-request',
    secret === undefined ? 'Webhooks require a secret' : 'Invalid webhook secret',
    'Set CALENDAR_WEBHOOK_SECRET to whsec_ and the base64 of 24 to 64 bytes: echo "whsec_$(openssl rand -base64 32)"',
  );
}

const isValidUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).username === '';

/** Throws `bad-request` for an invalid secret or address. */
export function checkWebhooks({ urls, secret }: WebhookOptions): void {
  keyOf(secret);
  const wrong = urls.find((url) => !isValidUrl(url));
  if (wrong === undefined) return;
  throw new Failure('bad-request', `Invalid webhook URL ${JSON.stringify(wrong)}`, 'Use one like http://127.0.0.1:3000/webhooks.');
}

/** Sends messages to the receivers of a server, each with up to three retries. Follows no redirect. */
export class Webhooks {
  readonly #urls: readonly string[];
  readonly #key: Buffer;
  readonly #backoffMs: readonly number[];
  readonly #timeoutMs: number;
  readonly #faults: FaultList | undefined;
  readonly #headers: Record<string, string>;
  /** Prints a message for the user. */
  readonly notice: (text: string) => void;
  #deliveries: (WebhookDelivery & { body: string })[] = [];
  #next = 1;
  #epoch = new AbortController();

  /** Sends the changes of one world; `world` is its ID. `faults` apply to paths that start with `/_webhooks`. Throws `bad-request` for an invalid secret or address. */
  constructor(options: WebhookOptions, faults?: FaultList, world?: string) {
    checkWebhooks(options);
    const { urls, secret, backoffMs = [1000, 5000, 25_000], notice = () => {} } = options;
    this.#key = keyOf(secret);
    this.#urls = urls;
    this.#backoffMs = backoffMs;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.#faults = faults;
    this.#headers = world === undefined ? {} : { [worldHeader.toLowerCase()]: world };
    this.notice = notice;
  }

  /** Sends a message to every receiver. */
  send(message: WebhookMessage): void {
    const body = JSON.stringify(message);
    const message_id = `msg_${randomBytes(12).toString('hex')}`;
    for (const url of this.#urls) {
      const delivery = {
        id: this.#next,
        message_id,
        type: message.type,
        url,
        attempts: 0,
        status: null,
        error: null,
        delivered: false,
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
    const target = this.#deliveries.find((each) => each.id === id);
    if (!target) throw new Failure('not-found', `Webhook delivery ${id} not found`);
    await this.#deliver(target);
    const { body: _, ...delivery } = target;
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
    this.notice(`Webhook ${delivery.type} was not delivered to ${delivery.url}: ${delivery.error ?? `status ${delivery.status}`}`);
  }

  async #attempt(delivery: WebhookDelivery & { body: string }, signal: AbortSignal): Promise<void> {
    const { message_id, body, url } = delivery;
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = createHmac('sha256', this.#key).update(`${message_id}.${timestamp}.${body}`).digest('base64');
    const headers = {
      ...this.#headers,
      'content-type': 'application/json',
      'webhook-id': message_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
    delivery.attempts += 1;
    Object.assign(delivery, { status: null, error: null });
    const post = () =>
      withTimeout(this.#timeoutMs, signal, async (limited) => {
        const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal: limited });
        await response.body?.cancel();
        return response.status;
      });
    try {
      const status = await postWithFaults(post, url, headers, this.#faults, signal);
      delivery.status = status;
      delivery.delivered = status >= 200 && status < 300;
    } catch (error) {
      const { message, cause } = error as Error;
      delivery.error = cause instanceof Error && cause.message ? cause.message : message;
    }
  }
}
