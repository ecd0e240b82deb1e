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

/** The process that has a file open for writing, and the address of its server, if any. */
export interface Owner {
  pid: number;
  url?: string;
  token?: string;
  /** The instant at which the server's clock is stopped; absent while it runs. */
  now?: string;
  /** Offset of the server's clock from the system's, in ms. */
  ahead?: number;
  /** The folder in which a server was started that runs in the background; absent for others. */
  detachedIn?: string;
}

/** The file that an owner writes next to its file, for processes of the same user. */
export interface Card extends Owner {
  /** Proves that the listener on the lock's address wrote the card: other users cannot read it. */
  secret: string;
}

export const cardPath = (file: string): string => `${file}-owner`;

const noFollow = constants.O_NOFOLLOW ?? 0;

/** The card of a file; undefined if there is none by this user or the administrator. */
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

/** Writes the card of a file, readable only for this user. Failures are ignored: others then cannot find the owner's server. */
export function writeCard(file: string, card: Card): void {
  const fresh = `${cardPath(file)}-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(fresh, textOf(card), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, cardPath(file));
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** Writes a card to its open and locked file. */
export function writeCardTo(fd: number, card: Card): void {
  ftruncateSync(fd);
  writeSync(fd, textOf(card), 0);
}

export function removeCard(file: string): void {
  try {
    rmSync(cardPath(file), { force: true });
  } catch {
    // The disk may be read-only; the stale card is ignored.
  }
}

const textOf = (card: Card): string => `${JSON.stringify(card)}\n`;
