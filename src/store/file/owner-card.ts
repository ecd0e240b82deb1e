import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

/** The process that holds a file for writing, and, when it is a server, how to speak to it. */
export interface Owner {
  pid: number;
  url?: string;
  token?: string;
  /** The instant at which the server's clock stands still, as it was given; absent when it runs. */
  now?: string;
  /** Milliseconds that a running clock of the server is ahead of the system's. */
  ahead?: number;
}

/** What an owner writes beside its file, for processes of the same user. */
export interface Card extends Owner {
  /** Proves that who holds the lock is who wrote the card: other users cannot read it. */
  secret: string;
}

export const cardPath = (file: string): string => `${file}-owner`;

const noFollow = constants.O_NOFOLLOW ?? 0;

/** The card beside a file; undefined when there is none that this user, or the administrator, wrote. */
export function readCard(file: string): Card | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(cardPath(file), constants.O_RDONLY | constants.O_NONBLOCK | noFollow);
    const { uid } = fstatSync(fd);
    if (process.getuid !== undefined && uid !== process.getuid() && uid !== 0) return undefined;
    const card = JSON.parse(readFileSync(fd, 'utf8'));
    return typeof card?.pid === 'number' && typeof card.secret === 'string' ? card : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Puts a card beside a file, readable for this user only. A folder that takes no files is no failure: only nobody finds the owner by its card. */
export function writeCard(file: string, card: Card): void {
  const fresh = `${cardPath(file)}-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(fresh, textOf(card), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, cardPath(file));
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** Writes a card into its file, which is open and locked. */
export function writeCardTo(fd: number, card: Card): void {
  ftruncateSync(fd);
  writeSync(fd, textOf(card), 0);
}

export function removeCard(file: string): void {
  try {
    rmSync(cardPath(file), { force: true });
  } catch {
    // A disk that has become read-only: what stays there names nobody any more.
  }
}

const textOf = (card: Card): string => `${JSON.stringify(card)}\n`;
