import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../sqlite/sql.ts';
import { canonical, storageError } from './files.ts';
import { type Card, cardPath, type Owner, readCard, removeCard, writeCard, writeCardTo } from './owner-card.ts';

/** The exclusive right to write a file, until it is released or the process ends. */
export interface Lock {
  /** Path of the file with links resolved. */
  readonly file: string;
  /** Publishes the address of the server for programs of the same user. */
  announce(url: string, token: string, more?: Pick<Owner, 'now' | 'ahead' | 'detachedIn'>): void;
  release(): Promise<void>;
}

/** The failure to lock a file that a server uses. Servers don't release it soon, so it is thrown immediately. */
export class ServedError extends StorageError {
  readonly owner: Owner;

  constructor(path: string, owner: Owner) {
    super('locked', `${path} is already in use by the server at ${owner.url} (process ${owner.pid})`, 'Use that server, or stop it first.');
    this.owner = owner;
  }
}

/** A name or file that the system releases when the process ends. */
interface Claim {
  /** Publishes the owner card. */
  publish(card: Card): void;
  release(): Promise<void>;
}

/** Time for an owner to respond, in ms. A suspended process does not respond. */
const ownerTimeoutMs = 1000;
/** The same while waiting for the file, after which the request is repeated. */
const shortOwnerTimeoutMs = 250;

/** Locks a file, waiting for its owner for at most `timeout` ms. Throws with `hint` if it is still in use, and a {@link ServedError} immediately if a server uses it. */
export async function acquire(file: string, timeout: number, hint?: string): Promise<Lock> {
  const path = canonical(file);
  const card: Card = { pid: process.pid, secret: randomBytes(16).toString('hex') };
  const claim = await claimed(path, card, performance.now() + timeout, hint);
  claim.publish(card);
  return {
    file: path,
    announce(url, token, { now, ahead, detachedIn } = {}) {
      Object.assign(card, { url, token, now, ahead, detachedIn });
      claim.publish(card);
    },
    async release() {
      removeCard(path);
      await claim.release();
    },
  };
}

/** The current owner of the file; undefined for none. Of a process of another user only the ID is known. */
export async function ownerOf(file: string, limit = ownerTimeoutMs): Promise<Owner | undefined> {
  const path = canonical(file);
  const card = readCard(path);
  if (usesFileLock) return card && isFileLocked(path) ? publicPart(card) : undefined;
  const listener = await listenerOn(lockAddress(path), card, limit);
  if (listener === undefined) return undefined;
  return card !== undefined && listener.isVerified ? publicPart(card) : { pid: listener.pid };
}

// In a container, a user may have no name.
const userName = () => process.getuid?.() ?? userInfo().username.replaceAll(/[^\w.-]/g, '');
const fileOfPort = (port: number): string => join(tmpdir(), `calendar-port-${userName()}-${port}`);

/** Records that this process serves on a port, for {@link ownerOfPort} of the same user; `detachedIn` is the folder in which a server was started that runs in the background. Returns a function that ends this. */
export async function lockPort(port: number, url: string, detachedIn?: string): Promise<() => Promise<void>> {
  try {
    const lock = await acquire(fileOfPort(port), 0);
    lock.announce(url, '', { detachedIn });
    return () => lock.release();
  } catch {
    // A server on the same port of another address has it, or the folder is not writable: `calendar stop` then refuses the address.
    return async () => {};
  }
}

/** The `calendar serve` of this user that serves on a port of this machine. Of another process that claims this only the ID is known; undefined for none. */
export const ownerOfPort = (port: number): Promise<Owner | undefined> => ownerOf(fileOfPort(port));

/** The ports of servers of this user that run in the background: those that were started in a folder or below it, by default all. */
export async function detachedPorts(folder?: string): Promise<number[]> {
  const start = `${basename(fileOfPort(0)).slice(0, -1)}`;
  const ports = readdirSync(tmpdir()).flatMap((name) =>
    name.startsWith(start) ? (/^(\d+)-owner$/.exec(name.slice(start.length))?.[1] ?? []) : [],
  );
  const owners = await Promise.all(ports.map(async (port) => ({ port: Number(port), owner: await ownerOfPort(Number(port)) })));
  const isInside = (path: string) =>
    folder === undefined || path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return owners.filter(({ owner }) => owner?.detachedIn !== undefined && isInside(owner.detachedIn)).map(({ port }) => port);
}

function publicPart({ pid, url, token, now, ahead, detachedIn }: Owner): Owner {
  return {
    pid,
    ...(url && { url }),
    ...(token && { token }),
    ...(now && { now }),
    ...(ahead && { ahead }),
    ...(detachedIn && { detachedIn }),
  };
}

const usesFileLock = !['linux', 'android', 'win32'].includes(process.platform);

async function claimed(path: string, card: Card, deadline: number, hint: string | undefined): Promise<Claim> {
  for (;;) {
    const claim = usesFileLock ? claimByFile(path) : await claimByAddress(path, card);
    if (claim !== undefined) return claim;
    const late = performance.now() >= deadline;
    const ownerCard = readCard(path);
    const owner = late || ownerCard?.url !== undefined ? await ownerOf(path, shortOwnerTimeoutMs) : undefined;
    if (owner?.url !== undefined) throw new ServedError(path, owner);
    if (late) throw new StorageError('locked', `${path} is in use by process ${owner?.pid || ownerCard?.pid || '(unknown)'}`, hint);
    const wait = Math.min(ownerTimeoutMs, Math.max(0, deadline - performance.now()));
    if (usesFileLock) await sleep(Math.min(wait, 10 + Math.random() * 30));
    else await freeOrLate(lockAddress(path), wait);
  }
}

async function claimByAddress(path: string, card: Card): Promise<Claim | undefined> {
  const release = await listenOn(lockAddress(path), card);
  return release && { publish: (card) => writeCard(path, card), release };
}

const exclusiveLock = 0x20; // O_EXLOCK of macOS and the BSDs
const noWait = constants.O_NONBLOCK ?? 0;

function claimByFile(path: string): Claim | undefined {
  const name = cardPath(path);
  let fd: number;
  try {
    fd = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | noWait | exclusiveLock, 0o600);
  } catch (error) {
    if (['EAGAIN', 'EWOULDBLOCK'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw storageError(error, name);
  }
  try {
    // The former owner may have removed the file between opening and locking; then the lock is void.
    if (statSync(name).ino === fstatSync(fd).ino) return { publish: (card) => writeCardTo(fd, card), release: async () => closeSync(fd) };
  } catch {}
  closeSync(fd);
  return undefined;
}

function isFileLocked(path: string): boolean {
  try {
    closeSync(openSync(cardPath(path), constants.O_RDONLY | noWait | exclusiveLock));
    return false;
  } catch {
    return true;
  }
}

/*
 * The lock of a file is an address that only one process can listen on. Any user of the machine can connect to it, or claim it when the owner
 * has exited. Clients therefore send a random challenge, and the owner responds with its keyed hash. The key is on the owner card, which other
 * users cannot read.
 */

/** The name of an abstract socket on Linux, or of a named pipe on Windows. The system releases it when the process ends. */
export function lockAddress(file: string): string {
  const { dev, ino } = statSync(dirname(file));
  const name = createHash('sha256')
    .update(`${dev}:${ino}:${basename(file)}`)
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\calendar-${name}` : `\0calendar-${name}`;
}

const proofOf = (challenge: string, secret: string): string => createHmac('sha256', secret).update(challenge).digest('hex');

/** Maximum length of a challenge or a response, in characters. */
const maxChallengeLength = 200;

/** Listens on an address and returns a function that stops; undefined if another process listens. */
async function listenOn(address: string, { pid, secret }: Card): Promise<(() => Promise<void>) | undefined> {
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    guest.unref();
    guest.setEncoding('utf8');
    guest.on('error', () => {});
    guest.on('close', () => guests.delete(guest));
    let challenge = '';
    guest.on('data', (text) => {
      challenge += text;
      if (challenge.includes('\n'))
        guest.end(`${JSON.stringify({ pid, proof: proofOf(challenge.slice(0, challenge.indexOf('\n')), secret) })}\n`);
      else if (challenge.length > maxChallengeLength) guest.destroy();
    });
  });
  if (!(await listens(server, address))) return undefined;
  server.unref();
  return () =>
    new Promise((done) => {
      server.close(() => done());
      for (const guest of guests) guest.destroy();
    });
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(false) : fail(storageError(error, 'the lock')),
    );
    server.listen({ path: address, exclusive: true }, () => done(true));
  });
}

/** Resolves when the address is free, or after `limit` ms. */
function freeOrLate(address: string, limit: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ path: address });
    const timer = setTimeout(() => socket.destroy(), limit);
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      // A random delay, so that waiting processes take turns.
      setTimeout(done, Math.random() * 4);
    });
  });
}

/** The process that listens on an address: its ID, 0 if it does not respond within `limit` ms, and whether it knows the secret of a card. Undefined for none. */
async function listenerOn(
  address: string,
  card: Card | undefined,
  limit: number,
): Promise<{ pid: number; isVerified: boolean } | undefined> {
  const challenge = randomBytes(16).toString('hex');
  const response = await request(address, challenge, limit);
  if (typeof response !== 'string') return response && { pid: 0, isVerified: false };
  try {
    const { pid, proof } = JSON.parse(response);
    const expected = Buffer.from(proofOf(challenge, card?.secret ?? ''));
    const received = Buffer.from(String(proof));
    return {
      pid: Number(pid) || 0,
      isVerified: card !== undefined && received.length === expected.length && timingSafeEqual(received, expected),
    };
  } catch {
    return { pid: 0, isVerified: false };
  }
}

/** The first line of a listener's response; true if it does not respond, undefined if there is none. */
function request(address: string, challenge: string, limit: number): Promise<string | true | undefined> {
  return new Promise((done) => {
    const socket = connect({ path: address });
    let text = '';
    let connected = false;
    const timer = setTimeout(() => socket.destroy(), limit);
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      connected = true;
      socket.write(`${challenge}\n`);
    });
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n') || text.length > maxChallengeLength) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      done(text.includes('\n') ? text : connected || undefined);
    });
  });
}
