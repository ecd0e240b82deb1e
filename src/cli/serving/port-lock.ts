import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { acquire, ownerOf } from '../../store/file/lock.ts';
import type { Owner } from '../../store/file/owner-card.ts';

// In a container, a user may have no name.
const user = () => process.getuid?.() ?? userInfo().username.replaceAll(/[^\w.-]/g, '');
const fileOf = (port: number): string => join(tmpdir(), `calendar-port-${user()}-${port}`);

/** Records that this process serves on a port, for {@link serverOnPort} of the same user. Returns a function that ends this. */
export async function lockPort(port: number, url: string): Promise<() => Promise<void>> {
  try {
    const lock = await acquire(fileOf(port), 0);
    lock.announce(url, '');
    return () => lock.release();
  } catch {
    // A server on the same port of another address has it, or the folder is not writable: `calendar stop` then refuses the address.
    return async () => {};
  }
}

/** Returns the `calendar serve` of this user that serves on a port of this machine. Of another process that claims this only the ID is known; undefined for none. */
export const serverOnPort = (port: number): Promise<Owner | undefined> => ownerOf(fileOf(port));
