import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { acquire, lockAddress, ownerOf } from '../../../src/store/file/lock.ts';
import { add, inFolder, names, openItems, reasonOf } from '../../support/items.ts';
import { compiled } from '../../support/program.ts';
import { limit } from '../../support/timeouts.ts';

const itemProgram = compiled('support/item-process.ts');
const creator = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [itemProgram, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

/** The response of the listener at an address. */
async function answerTo(address: string, challenge: string): Promise<string> {
  const socket = connect({ path: address });
  socket.write(`${challenge}\n`);
  return (await text(socket)).trim();
}

describe('the owner of a file', () => {
  it('is one, and the next in turn when it lets go', () =>
    inFolder(async (folder) => {
      const first = await acquire(`${folder}/a.db`, 1000);
      expect(await reasonOf(() => acquire(`${folder}/a.db`, 50))).toBe('locked');
      await expect(acquire(`${folder}/a.db`, 0)).rejects.toThrow(`process ${process.pid}`);
      const second = acquire(`${folder}/a.db`, 5000);
      setTimeout(() => first.release(), 50);
      await (await second).release();
      expect(existsSync(`${folder}/a.db-owner`)).toBe(false);
    }));

  it('is the same by every name of the file', () =>
    inFolder(async (folder) => {
      const db = await openItems(`${folder}/a.db`);
      symlinkSync(`${folder}/a.db`, `${folder}/link.db`);
      symlinkSync(folder, `${folder}/folder`);
      for (const name of ['link.db', 'folder/a.db', 'folder/../a.db']) {
        const path = name === 'folder/../a.db' ? `${folder}/folder/./a.db` : `${folder}/${name}`;
        await db.checkpoint();
        expect(await reasonOf(() => acquire(path, 20))).toBe('locked');
      }
      add(db, 'in the log');
      await db.synced();
      const reader = await openItems(`${folder}/link.db`, { mode: 'read' });
      expect(names(reader)).toEqual(['in the log']);
      await reader.close();
      const other = await acquire(`${folder}/b.db`, 20);
      await other.release();
      await db.close();
    }));

  it('is found with its address and token by the same user, only while it lives', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      expect(await ownerOf(file)).toBeUndefined();
      const db = await openItems(file);
      expect(await ownerOf(file)).toEqual({ pid: process.pid });
      db.announce('http://127.0.0.1:1', 'secret');
      expect(await ownerOf(file)).toEqual({ pid: process.pid, url: 'http://127.0.0.1:1', token: 'secret' });
      expect(statSync(`${file}-owner`).mode & 0o777).toBe(0o600);
      await db.close();
      expect(await ownerOf(file)).toBeUndefined();
    }));

  it('is not played by another process that took its place', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      db.announce('http://127.0.0.1:1', 'secret');
      const card = readFileSync(`${file}-owner`, 'utf8');
      // Everything that another user can see of the owner: what it answers to a challenge.
      const recorded = await answerTo(lockAddress(file), 'challenge');
      await db.close();
      const impostor = createServer((guest) => guest.end(`${recorded}\n`)).listen({ path: lockAddress(file) });
      await once(impostor, 'listening');
      writeFileSync(`${file}-owner`, card, { mode: 0o600 });
      expect(JSON.parse(recorded)).toEqual({ pid: process.pid, proof: expect.any(String) });
      expect(await ownerOf(file)).toEqual({ pid: process.pid });
      impostor.close();
    }));

  it('does not write through a link that others made', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      writeFileSync(`${folder}/precious`, 'precious');
      for (const end of ['-owner', '-owner-new']) symlinkSync(`${folder}/precious`, file + end);
      const db = await openItems(file);
      db.announce('http://127.0.0.1:1', 'secret');
      expect((await ownerOf(file))?.token).toBe('secret');
      await db.close();
      expect(readFileSync(`${folder}/precious`, 'utf8')).toBe('precious');
    }));

  it('is named at once when it is a server', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const db = await openItems(file);
      db.announce('http://127.0.0.1:1', 'secret');
      await expect(acquire(file, limit(600_000))).rejects.toThrow(
        `already in use by the server at http://127.0.0.1:1 (process ${process.pid})`,
      );
      await db.close();
    }));

  it('is free at once when its process is killed', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const holder = creator(file, 'hold');
      await once(holder.stdout!, 'data');
      expect((await ownerOf(file))?.pid).toBe(holder.pid);
      await expect(openItems(file, { timeout: 50 })).rejects.toThrow(`in use by process ${holder.pid}`);
      const waiting = openItems(file, { timeout: limit(10_000) });
      holder.kill('SIGKILL');
      const db = await waiting;
      expect(JSON.parse(readFileSync(`${file}-owner`, 'utf8')).pid).toBe(process.pid);
      add(db, 'a');
      await db.close();
    }));
});
