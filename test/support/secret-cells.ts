import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { afterAll, beforeAll } from 'vitest';
import { Program } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { type LiveSite, liveSite } from './live-site.ts';
import { folder, run } from './transcript.ts';

/** A command with a complete line of arguments; `address` is where an address is among them. */
interface CommandLine {
  path: string;
  args: readonly string[];
  takes: 'argument' | 'url' | 'pull';
}

/** Values of arguments by name, and of options that a command requires or without which it asks. */
const values: Readonly<Record<string, readonly string[]>> = {
  id: ['5'],
  range: ['today'],
  month: ['2027-03'],
  n: ['3'],
  command: ['true'],
  words: ['GET', '/events'],
  fault: ['503:10%'],
  name: ['ada'],
  instant: ['2027-03-01'],
  duration: ['1h'],
  resource: ['events'],
  field: ['age'],
  seed: ['demo'],
  snapshot: ['start'],
  record: ['5'],
  setting: ['title'],
  value: ['Town'],
  user: ['ada'],
  role: ['editor'],
  shell: ['bash'],
  folder: ['site'],
};
const required: Readonly<Record<string, readonly string[]>> = {
  '--by': ['1d'],
  '--role': ['editor'],
  '--title': ['x'],
  '--start-date': ['2027-03-01'],
  '--end-date': ['2027-03-02'],
  '--venue': ['x'],
  '--organizer': ['x'],
  '--yes': [],
};
/** Arguments that are addresses, or may be. */
const addresses = ['url', 'file', 'seed'];

/** Every command with an argument or option that takes an address, from the registry. Throws for an argument without a value here. */
export async function commandLines(): Promise<CommandLine[]> {
  const program = new Program({ stdout: {}, env: {} } as Terminal, []);
  const lines: CommandLine[] = [];
  for (const command of program.root.commands) {
    await program.load(command);
    lines.push(...linesOf(command, [command.name()]));
  }
  return lines;
}

function linesOf(command: Command, path: readonly string[]): CommandLine[] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  if (below.length) return below.flatMap((each) => linesOf(each, [...path, each.name()]));
  const isNeeded = (flag: string) => flag !== '--title' || command.name() === 'create';
  const hasOption = (flag: string) => command.options.some(({ long }) => long === flag);
  const options = Object.entries(required).flatMap(([flag, value]) => (hasOption(flag) && isNeeded(flag) ? [flag, ...value] : []));
  const given = command.registeredArguments.map((argument) => argument.name());
  const valuesOf = (name: string) => {
    if (values[name] === undefined) throw new Error(`${path.join(' ')}: the argument ${name} has no value in secret-cells.ts`);
    return values[name];
  };
  const named = path.join(' ');
  const plain = given.filter((name) => !['url', 'file'].includes(name)).flatMap(valuesOf);
  const lines: CommandLine[] = [{ path: named, args: [...path, ...plain, ...options], takes: 'url' }];
  if (given.some((name) => addresses.includes(name))) lines.push({ path: named, args: [...path, ...options], takes: 'argument' });
  if (hasOption('--pull')) lines.push({ path: named, args: [...path, '--memory', '--port', '0', ...plain], takes: 'pull' });
  return lines;
}

export const sources = ['typed', 'variable', 'user', 'project'] as const;
export const secretKinds = ['variables', 'password', 'header', 'token', 'typed'] as const;
export const hosts = ['town.example', 'town.example:8080', '192.0.2.2', '[fd00::2]', '127.0.0.1', 'localhost.'] as const;
export const schemes = ['http', 'https'] as const;
export const statuses = [200, 301, 302, 307, 308] as const;
export const targets = ['https', 'www', 'other', 'port', 'downgrade', 'loopback'] as const;

/** One case: a command, where its address and its secrets are from, the host, and its answer. */
export interface SecretCell {
  line: CommandLine;
  source: (typeof sources)[number];
  secret: (typeof secretKinds)[number];
  host: (typeof hosts)[number];
  scheme: (typeof schemes)[number];
  status: (typeof statuses)[number];
  target: (typeof targets)[number];
}

const secrets = { password: 'pw-S3cret', team: 'team-S3cret', token: 'tok-S3cret' };
const needles = [...Object.values(secrets), Buffer.from(`bob:${secrets.password}`).toString('base64')];

/** A request that arrived, at the origin that it was meant for. */
interface Arrival {
  origin: string;
  url: string;
  hasSecret: boolean;
}

/** Servers for all hosts: a proxy that stands for every name, and this machine. */
class SecretServers {
  arrivals: Arrival[] = [];
  #cell: SecretCell | undefined;
  readonly #place = folder();
  #count = 0;

  private constructor(
    private readonly site: LiveSite,
    private readonly servers: Record<'proxy' | 'secure' | 'near' | 'other', Server>,
  ) {}

  static async start(): Promise<SecretServers> {
    const file = (name: string) => readFileSync(resolve('test/support/files/tls', name));
    const servers = {
      proxy: createServer(),
      secure: createSecureServer({ cert: file('cert.pem'), key: file('key.pem') }) as unknown as Server,
      near: createServer(),
      other: createServer(),
    };
    const own = new SecretServers(await liveSite('minimal'), servers);
    servers.proxy.on('request', own.#listener('http'));
    servers.secure.on('request', own.#listener('https'));
    servers.near.on('request', own.#listener('http'));
    servers.other.on('request', own.#listener('http'));
    servers.proxy.on('connect', (_, socket) => {
      const tunnel = connect(portOf(servers.secure), '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      for (const each of [socket, tunnel]) each.on('error', () => {});
      socket.pipe(tunnel).pipe(socket);
    });
    await Promise.all(Object.values(servers).map((each) => new Promise<void>((done) => each.listen(0, '127.0.0.1', done))));
    return own;
  }

  async close(): Promise<void> {
    for (const each of Object.values(this.servers)) {
      each.closeAllConnections();
      each.close();
    }
    await this.site.close();
    this.#place.remove();
  }

  /** Runs a cell, and returns what is wrong with what arrived. */
  async problems(cell: SecretCell): Promise<string[]> {
    this.#cell = cell;
    this.arrivals = [];
    const cwd = join(this.#place.path, String(++this.#count));
    mkdirSync(join(cwd, 'own', 'calendar'), { recursive: true });
    const { args, env } = this.#given(cell, cwd);
    const interrupt = AbortSignal.timeout(cell.line.takes === 'pull' ? 150 : 5000);
    const said = await run(args, { cwd, env, interrupted: interrupt });
    // Requests may be under way when a server is interrupted, and status may end before its own.
    if (cell.line.takes === 'pull' || cell.line.path === 'status') await wait(100);
    return this.#judged(said.stderr);
  }

  #address({ host, scheme }: SecretCell): string {
    const isNear = isThisMachine(host);
    return isNear ? `http://${host}:${portOf(this.servers.near)}/wp-json` : `${scheme}://${host}/wp-json`;
  }

  #given(cell: SecretCell, cwd: string): { args: string[]; env: Record<string, string> } {
    const { line, source, secret } = cell;
    const address = this.#address(cell);
    const proxy = `http://127.0.0.1:${portOf(this.servers.proxy)}`;
    const env: Record<string, string> = { http_proxy: proxy, https_proxy: proxy, XDG_CONFIG_HOME: join(cwd, 'own') };
    const args = [...line.args, '--timeout', '1'];
    const profile = JSON.stringify({ profile: 'p', profiles: { p: { url: address } } });
    if (source === 'typed') args.push(...(line.takes === 'argument' ? [address] : [line.takes === 'pull' ? '--pull' : '--url', address]));
    else if (source === 'variable') env.CALENDAR_URL = address;
    else if (source === 'user') writeFileSync(join(cwd, 'own', 'calendar', 'config.json'), profile, { mode: 0o600 });
    else {
      const serve = line.takes === 'pull' ? { serve: { pull: address, memory: true, port: 0 } } : JSON.parse(profile);
      writeFileSync(join(cwd, 'calendar.config.json'), JSON.stringify(serve));
    }
    if (secret === 'variables') Object.assign(env, { CALENDAR_USER: 'bob', CALENDAR_PASSWORD: secrets.password });
    if (secret === 'password') Object.assign(env, { CALENDAR_PASSWORD: secrets.password });
    if (secret === 'token') env.CALENDAR_CONTROL_TOKEN = secrets.token;
    if (secret === 'header') env.TEAM = secrets.team;
    const at = args.indexOf('--timeout');
    if (secret === 'password') args.splice(at, 0, '--user', 'bob');
    if (secret === 'header') args.splice(at, 0, '--header', 'X-Team: ${TEAM}');
    if (secret === 'typed') args.splice(at, 0, '--header', `X-Team: ${secrets.team}`);
    // What exec runs comes last.
    if (line.path === 'exec') args.push(...args.splice(args.indexOf('true'), 1));
    return { args, env };
  }

  #listener =
    (scheme: string): RequestListener =>
    async (request, response) => {
      const { host = '', ...others } = request.headers;
      const url = request.url!.startsWith('/') ? `${scheme}://${host}${request.url}` : request.url!;
      const body = await textOf(request);
      const whole = `${url}\n${JSON.stringify(others)}\n${body}`;
      const { origin } = new URL(url);
      this.arrivals.push({ origin, url, hasSecret: needles.some((each) => whole.includes(each)) });
      const location = this.#locationFor(new URL(url));
      if (location !== undefined) return void response.writeHead(this.#cell!.status, { location }).end();
      const { pathname, search } = new URL(url);
      if (!pathname.startsWith('/wp-json') || request.method !== 'GET')
        return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      const answer = await fetch(`${new URL(this.site.url).origin}${pathname}${search}`).catch(() => undefined);
      response.writeHead(answer?.status ?? 502, { 'content-type': answer?.headers.get('content-type') ?? 'text/plain' });
      response.end(await answer?.text());
    };

  /** Where the named address redirects to. */
  #locationFor(url: URL): string | undefined {
    const { status, target } = this.#cell!;
    const named = new URL(this.#address(this.#cell!));
    if (status === 200 || url.origin !== named.origin) return undefined;
    const rest = url.pathname + url.search;
    const to = {
      https: `https://${url.host}`,
      www: `${url.protocol}//www.${url.host}`,
      other: 'https://town.examplee',
      port: `${url.protocol}//${url.hostname}:${isThisMachine(url.hostname) ? portOf(this.servers.other) : 8443}`,
      downgrade: `http://${url.hostname}:80`,
      loopback: `http://127.0.0.1:${portOf(this.servers.other)}`,
    }[target];
    return to + rest;
  }

  #judged(stderr: string): string[] {
    const cell = this.#cell!;
    const named = new URL(this.#address(cell));
    const isNear = isThisMachine(named.hostname);
    // The header of a fault is one of a response.
    if (cell.line.path === 'fault add' && cell.secret === 'typed') return [];
    const mayHave = cell.source !== 'project' || cell.secret === 'typed';
    const problems: string[] = [];
    const bare = new Set<string>();
    for (const { origin, url, hasSecret } of this.arrivals) {
      const at = new URL(url);
      const isOther = origin === `http://127.0.0.1:${portOf(this.servers.other)}`;
      if (isOther || (!isNear && isThisMachine(at.hostname))) problems.push(`a request to this machine: ${url}`);
      if (named.protocol === 'https:' && at.protocol === 'http:') problems.push(`a request without TLS: ${url}`);
      if (!hasSecret) bare.add(origin);
      else if (!mayHave) problems.push(`a secret to an address of a project: ${url}`);
      else if (at.hostname.replace(/^www\./, '') !== named.hostname) problems.push(`a secret to another host: ${url}`);
      else if (at.port !== named.port && at.protocol === named.protocol) problems.push(`a secret to another port: ${url}`);
      else if (at.protocol === 'http:' && !isThisMachine(at.hostname)) {
        if (!bare.has(origin)) problems.push(`a secret with the first request over http: ${url}`);
        if (origin === named.origin && cell.status !== 200) problems.push(`a secret over http to a site that redirects: ${url}`);
      }
    }
    if (needles.some((each) => stderr.includes(each) && cell.secret !== 'typed')) problems.push(`a secret in a message: ${stderr}`);
    return problems;
  }
}

/** Accepts certificates that no authority signed, in the tests of a file. */
export function withAnyCertificate(): void {
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  beforeAll(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  });
  afterAll(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
}

/** Starts the servers for the tests of a file, and returns them once they run. */
export function secretServers(): () => SecretServers {
  let servers: SecretServers;
  withAnyCertificate();
  beforeAll(async () => {
    servers = await SecretServers.start();
  });
  afterAll(() => servers.close());
  return () => servers;
}

const isThisMachine = (host: string) => /^(127\.|localhost)/.test(host);
const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
