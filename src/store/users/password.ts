import { createHmac, randomBytes, scrypt, scryptSync } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost of scrypt: 2^14 blocks of 8, the recommended minimum for logins. */
const cost = { N: 16384, r: 8, p: 1 };
const length = 32;
const scryptAsync = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
const hash = (password: string, salt: Buffer) => scryptAsync(password.normalize('NFC'), salt, length, cost);

/** Formats a hash as it is stored: `scrypt:SALT:HASH`, both in base64. */
const stored = (salt: Buffer, hashed: Buffer) => `scrypt:${salt.toString('base64')}:${hashed.toString('base64')}`;

/** Hashes a password in the background. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return stored(salt, await hash(password, salt));
}

/** Hashes a password synchronously, for use in a change. Takes some tens of milliseconds. */
export function hashPasswordSync(password: string): string {
  const salt = randomBytes(16);
  return stored(salt, scryptSync(password.normalize('NFC'), salt, length, cost));
}

/** Returns whether a password has a stored hash. */
export async function isPasswordOf(password: string, hashed: string): Promise<boolean> {
  const [, salt = '', expected = ''] = hashed.split(':');
  const actual = await hash(password, Buffer.from(salt, 'base64'));
  return actual.toString('base64') === expected;
}

const key = randomBytes(32);

/** Returns a keyed hash of a name and a password, which is only valid in this process. */
export const keyOf = (name: string, password: string): string => createHmac('sha256', key).update(`${name}\0${password}`).digest('base64');
