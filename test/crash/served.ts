import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { program } from '../support/program.ts';

/** An answer of a server. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses without types
  body: any;
}

/** A `calendar serve` in a separate process. */
export class Server {
  readonly child: ChildProcess;
  /** Its stderr. */
  complaint = '';
  /** Its process ended. */
  readonly ended: Promise<unknown>;
  readonly #file: string;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  #root = '';

  constructor(file: string, options: readonly string[] = [], wrap: readonly string[] = []) {
    const [command, ...args] = [
      ...wrap,
      process.execPath,
      ...program,
      'serve',
      '--db',
      file,
      '--port',
      '0',
      '--json',
      '--quiet',
      ...options,
    ];
    this.child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stderr!.on('data', (chunk) => {
      this.complaint += chunk;
    });
    this.ended = once(this.child, 'close').then(() => this.#agent.destroy());
    this.#file = file;
  }

  /** Resolves with true once it listens, with false when it ended before. */
  async ready(): Promise<boolean> {
    const line = await Promise.race([once(this.child.stdout!, 'data'), this.ended]);
    if (line === undefined) return false;
    this.#root = JSON.parse(String((line as Buffer[])[0])).url;
    return true;
  }

  get url(): string {
    return this.#root;
  }

  /** Sends a request; rejects when the connection breaks before the whole answer is there. */
  send(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.sendTo(`${this.#root}${path}`, method, json, headers);
  }

  /** The same at a whole address. */
  sendTo(address: string, method: string, json?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((done, fail) => {
      const request = http.request(address, { method, agent: this.#agent, headers: { ...type, ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('error', fail);
        answer.on('end', () => (answer.complete ? done({ status: answer.statusCode!, body: JSON.parse(text) }) : fail(new Error('cut'))));
      });
      request.on('error', fail);
      request.end(body);
    });
  }

  /** Makes a checkpoint, with the control token of the server. */
  async checkpoint(): Promise<Reply> {
    // Read as it lies there: the server may run as another user, who would be told of no token.
    const { token } = JSON.parse(readFileSync(`${this.#file}-owner`, 'utf8'));
    return this.sendTo(new URL('/_calendar/file/checkpoint', this.#root).href, 'POST', {}, { authorization: `Bearer ${token}` });
  }

  /** Stops it clean; the code it ended with. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    await this.ended;
    return this.child.exitCode;
  }
}
