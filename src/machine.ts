import type { SqlJsStatic } from 'sql.js';

/** Services of the machine that a calendar runs on. The entry of each program gives them before anything else with {@link runOn}: see `bin/machine`. */
export interface Machine {
  /** SQLite, loaded once per process. */
  loadSqlite(): Promise<SqlJsStatic>;
  /** A hash of text in UTF-8 or of bytes. */
  hash(algorithm: 'md5' | 'sha1' | 'sha256', data: string | Uint8Array, encoding: 'base64url' | 'hex'): string;
  /** A keyed hash of text: HMAC with SHA-256, in base64url. */
  keyedHash(key: Uint8Array, text: string): string;
  /** The hash of a password, 32 bytes of scrypt, for a stored one. */
  scrypt(password: string, salt: Uint8Array): Promise<Uint8Array>;
  /** The same at once. */
  scryptSync(password: string, salt: Uint8Array): Uint8Array;
  /** Time since the process or the page began, in seconds. */
  uptime(): number;
  /** Resolves when what is ready has had its turn, without the delay of a timer. */
  nextTurn(): Promise<void>;
  /** Says that many listeners of a signal are not a leak. */
  letManyListen(signal: AbortSignal): void;
}

/** Cost of scrypt, 2^14 blocks of 8, the recommended minimum for logins, and the length of its hashes in bytes: stored passwords are those of every machine. */
export const scryptOptions = { N: 16384, r: 8, p: 1, length: 32 };

/** The machine that this process runs on. Not to be used while modules load, since the entry gives it after them. */
export let machine: Machine;

/** Sets the machine for everything that is called from now on. */
export function runOn(given: Machine): void {
  machine = given;
}
