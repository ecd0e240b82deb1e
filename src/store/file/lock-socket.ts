import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { storageError } from './files.ts';
import type { Card } from './owner-card.ts';

/*
 * The lock of a file is an address that only one process can listen on. Any user of the machine can connect to it, or claim it when the owner
 * has exited. Clients therefore send a random challenge, and the owner responds with its keyed hash. The key is on the owner card, which other
 * users cannot read.
 */

/** Returns the name of an abstract socket on Linux, or of a named pipe on Windows. The system releases it when the process ends. */
export function addressOf(file: string): string {
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
export async function listenOn(address: string, { pid, secret }: Card): Promise<(() => Promise<void>) | undefined> {
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
export function freeOrLate(address: string, limit: number): Promise<void> {
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

/** Returns the process that listens on an address: its ID, 0 if it does not respond within `limit` ms, and whether it knows the secret of a card. Undefined for none. */
export async function listenerOn(
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

/** Returns the first line of a listener's response; true if it does not respond, undefined if there is none. */
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
