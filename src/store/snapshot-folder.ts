import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotInfo } from '../model/operation-types.ts';
import { automatic, inOrder, namePattern } from './snapshot-names.ts';
import type { Fingerprint, SnapshotStore } from './sqlite/sql.ts';

/** Stores snapshots in a folder next to the file that only its user can read. Files have checksums and are replaced atomically. */
export class FolderSnapshots implements SnapshotStore {
  readonly #folder: string;

  constructor(file: string) {
    this.#folder = `${file}-snapshots`;
  }

  list(): SnapshotInfo[] {
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.db') && namePattern.test(file.slice(0, -3)));
    return inOrder(
      files.flatMap((file) => {
        const stat = statSync(join(this.#folder, file), { throwIfNoEntry: false });
        const name = file.slice(0, -3);
        return stat?.isFile() ? [{ name, taken: stat.mtime.toISOString(), bytes: stat.size, automatic: automatic.test(name) }] : [];
      }),
    );
  }

  async put(name: string, image: Uint8Array): Promise<void> {
    const [{ replaceFile, storageError }, { withChecksums }] = await Promise.all([import('./file/files.ts'), import('./file/format.ts')]);
    try {
      // With `recursive`, a read-only file system has the error of a missing folder.
      if (!existsSync(this.#folder)) mkdirSync(this.#folder, { mode: 0o700 });
      await replaceFile(this.#path(name), [image, withChecksums(image, 0).trailer]);
    } catch (error) {
      throw storageError(error, this.#path(name));
    }
  }

  /** Reads a snapshot, verifies its checksums and migrates it. */
  async get(name: string): Promise<Uint8Array> {
    const [{ openDatabase }, { calendarFile }] = await Promise.all([import('./file/database.ts'), import('./records/schema.ts')]);
    const db = await openDatabase(this.#path(name), { mode: 'read', kind: calendarFile });
    try {
      return db.bytes();
    } finally {
      await db.close();
    }
  }

  async putAfter(name: string, after: Fingerprint): Promise<void> {
    const { replaceFile, storageError } = await import('./file/files.ts');
    try {
      await replaceFile(this.#path(name, 'json'), [Buffer.from(JSON.stringify(after))]);
    } catch (error) {
      throw storageError(error, this.#path(name, 'json'));
    }
  }

  async getAfter(name: string): Promise<Fingerprint | undefined> {
    try {
      return JSON.parse(readFileSync(this.#path(name, 'json'), 'utf8'));
    } catch {
      return undefined;
    }
  }

  drop(name: string): void {
    for (const extension of ['db', 'json']) rmSync(this.#path(name, extension), { force: true });
  }

  removeIncomplete(): void {
    if (!existsSync(this.#folder)) return;
    // The names that `replaceFile` uses before it renames.
    for (const file of readdirSync(this.#folder))
      if (/\.(db|json)-[\da-f]{8}$/.test(file)) rmSync(join(this.#folder, file), { force: true });
  }

  #path(name: string, extension = 'db'): string {
    return join(this.#folder, `${name}.${extension}`);
  }
}
