import { createHmac, hash, scrypt, scryptSync } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type Machine, runOn, scryptOptions } from '../../src/machine.ts';
import { type Files, giveFiles } from '../../src/store/file/access.ts';
import { FolderSnapshots } from '../../src/store/snapshot-folder.ts';

const { length, ...cost } = scryptOptions;

/** Node. */
export const node: Machine = {
  loadSqlite: async () => (await import('../../src/store/sqlite/engine.ts')).loadSqlite(),
  hash: (algorithm, data, encoding) => hash(algorithm, data, encoding),
  keyedHash: (key, text) => createHmac('sha256', key).update(text).digest('base64url'),
  scrypt: (password, salt) =>
    new Promise((resolve, reject) => {
      scrypt(password, salt, length, cost, (error, hashed) => (error ? reject(error) : resolve(hashed)));
    }),
  scryptSync: (password, salt) => scryptSync(password, salt, length, cost),
  uptime: () => process.uptime(),
  nextTurn: () => setImmediate(),
  letManyListen(signal) {
    try {
      setMaxListeners(0, signal);
    } catch {
      // Signals of other environments, like jsdom, are not node's, and warn of nothing.
    }
  },
};

const files: Files = {
  open: async (file, options) => (await import('../../src/store/file/database.ts')).openDatabase(file, options),
  write: async (file, bytes) => (await import('../../src/store/file/database.ts')).writeDatabase(file, bytes),
  snapshots: (file) => new FolderSnapshots(file),
};

/** Runs this process on Node, with files. What few programs need is loaded on use. */
export function runOnNode(): void {
  runOn(node);
  giveFiles(files);
}
