import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonical, storageError } from './disk.ts';
import { StorageError } from './storage-error.ts';

/** Who holds a file for writing, and, when it is a server, how to speak to it. */
export interface Owner {
  pid: number;
  url?: string;
  token?: string;
  /** The instant at which the server's clock stands still, as it was given; absent when it runs. */
  now?: string;
}

/** The right to write a file, until it is released or the process ends, however it ends. */
export interface Lock {
  /** The path of the file with links followed. */
  readonly file: string;
  /** Lets programs of the same user find the server that holds the file. */
  announce(url: string, token: string, now?: string): void;
  release(): Promise<void>;
}

/** What the system holds for a process, and drops when the process dies. */
interface Claim {
  release(): Promise<void>;
}

/** Takes the file, waiting for its owner for at most `timeout` milliseconds; then a failure that names the owner. */
export async function acquire(file: string, timeout: number): Promise<Lock> {
  const path = canonical(file);
  const owner: Owner & { proof: string } = { pid: process.pid, proof: randomBytes(16).toString('hex') };
  const claim = await claimed(path, owner, performance.now() + timeout);
  const write = (): void => {
    try {
      writeFileSync(`${path}-owner-new`, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'w' });
      renameSync(`${path}-owner-new`, `${path}-owner`);
    } catch {
      // A folder that takes no files: the lock holds all the same, only nobody finds the server by it.
    }
  };
  if (!flocks) write();
  return {
    file: path,
    announce(url, token, now) {
      Object.assign(owner, { url, token, now });
      if (flocks) writeFileSync(`${path}-owner`, `${JSON.stringify(owner)}\n`);
      else write();
    },
    async release() {
      try {
        rmSync(`${path}-owner`, { force: true });
      } catch {
        // A disk that has become read-only: what stays there names nobody any more.
      }
      await claim.release();
    },
  };
}

/** Who holds the file now; undefined when nobody does, whatever an earlier owner left behind. */
export async function ownerOf(file: string): Promise<Owner | undefined> {
  const path = canonical(file);
  const card = readCard(path);
  if (flocks) {
    if (card === undefined) return undefined;
    try {
      closeSync(openSync(`${path}-owner`, constants.O_RDONLY | nonblock | exlock));
      return undefined;
    } catch {
      return cleaned(card);
    }
  }
  const greeting = await greet(addressOf(path), 1000);
  if (greeting === undefined) return undefined;
  // The address is open to every user of the machine; only the owner knows what is in the file that this user can read.
  if (card !== undefined && greeting.proof === digest(card.proof ?? '')) return cleaned(card);
  return { pid: greeting.pid };
}

function cleaned({ pid, url, token, now }: Owner): Owner {
  return { pid, ...(url && { url }), ...(token && { token }), ...(now && { now }) };
}

function readCard(path: string): (Owner & { proof?: string }) | undefined {
  try {
    const card = JSON.parse(readFileSync(`${path}-owner`, 'utf8'));
    return typeof card?.pid === 'number' ? card : undefined;
  } catch {
    return undefined;
  }
}

const exlock = 0x20; // O_EXLOCK of macOS and the BSDs
const nonblock = constants.O_NONBLOCK ?? 0;
const flocks = !['linux', 'android', 'win32'].includes(process.platform);

async function claimed(path: string, owner: Owner & { proof: string }, deadline: number): Promise<Claim> {
  for (;;) {
    const claim = flocks ? claimByFile(path, owner) : await claimByAddress(addressOf(path), owner);
    if (claim !== undefined) return claim;
    const left = deadline - performance.now();
    const holder = left <= 0 ? (await ownerOf(path))?.pid || readCard(path)?.pid : undefined;
    if (left <= 0)
      throw new StorageError(
        'locked',
        `${path} is in use by process ${holder ?? '(unknown)'}`,
        'Wait until it has finished, raise --timeout, or stop that process.',
      );
    if (flocks) await sleep(Math.min(left, 10 + Math.random() * 30));
    else await goneOrLate(addressOf(path), left);
  }
}

/** An abstract socket on Linux, a named pipe on Windows: names that the system takes back when the process ends. */
function addressOf(path: string): string {
  const { dev, ino } = statSync(dirname(path));
  const name = createHash('sha256')
    .update(`${dev}:${ino}:${basename(path)}`)
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\calendar-${name}` : `\0calendar-${name}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function claimByAddress(address: string, owner: Owner & { proof: string }): Promise<Claim | undefined> {
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    guest.unref();
    guest.on('error', () => {});
    guest.on('close', () => guests.delete(guest));
    guest.write(`${JSON.stringify({ pid: owner.pid, proof: digest(owner.proof) })}\n`);
  });
  if (!(await listens(server, address))) return undefined;
  server.unref();
  return {
    release: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const guest of guests) guest.destroy();
      }),
  };
}

function listens(server: Server, address: string): Promise<boolean> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(false) : fail(storageError(error, 'the lock')),
    );
    server.listen({ path: address, exclusive: true }, () => done(true));
  });
}

/** Waits until the holder of the address lets go of it, but not longer than `limit` milliseconds. */
function goneOrLate(address: string, limit: number): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ path: address });
    const timer = setTimeout(() => socket.destroy(), limit);
    socket.on('data', () => {});
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      // A little chance, so that of several who wait not always the same one is first.
      setTimeout(done, Math.random() * 4);
    });
  });
}

function greet(address: string, limit: number): Promise<{ pid: number; proof: string } | undefined> {
  return new Promise((done) => {
    const socket = connect({ path: address });
    let text = '';
    let connected = false;
    const timer = setTimeout(() => socket.destroy(), limit);
    socket.on('connect', () => {
      connected = true;
    });
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) socket.destroy();
    });
    socket.on('close', () => {
      clearTimeout(timer);
      try {
        done(JSON.parse(text));
      } catch {
        // Held, but too busy to answer: the holder is known only from the file.
        done(connected ? { pid: 0, proof: '' } : undefined);
      }
    });
  });
}

function claimByFile(path: string, owner: Owner): Claim | undefined {
  const card = `${path}-owner`;
  let fd: number;
  try {
    fd = openSync(card, constants.O_RDWR | constants.O_CREAT | nonblock | exlock, 0o600);
  } catch (error) {
    if (['EAGAIN', 'EWOULDBLOCK'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw storageError(error, card);
  }
  try {
    // Between the opening and the lock the former owner may have removed the file: then this is a lock on nothing.
    if (statSync(card).ino === fstatSync(fd).ino) {
      writeFileSync(card, `${JSON.stringify(owner)}\n`);
      return { release: async () => closeSync(fd) };
    }
  } catch {}
  closeSync(fd);
  return undefined;
}
