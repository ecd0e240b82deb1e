import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { acquire } from '../../../src/store/file/lock.ts';
import { cases } from '../../support/cases.ts';
import { inFolder, names, openItems } from '../../support/items.ts';
import { compiled } from '../../support/program.ts';
import { limit } from '../../support/timeouts.ts';

const itemProgram = compiled('support/item-process.ts');
const creator = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [itemProgram, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

describe('the owner of a file', () => {
  it('does not delay longer than the timeout when it is suspended', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      const holder = creator(file, 'hold');
      await once(holder.stdout!, 'data');
      holder.kill('SIGSTOP');
      try {
        await expect(acquire(file, 1500)).rejects.toThrow(`in use by process ${holder.pid}`);
      } finally {
        holder.kill('SIGKILL');
      }
    }));

  it(
    'changes between eight processes that create all the time, and nothing is lost',
    () =>
      inFolder(async (folder) => {
        const file = `${folder}/a.db`;
        const count = cases(15);
        const children = Array.from({ length: 8 }, (_, i) => creator(file, `process ${i}`, String(count)));
        const ids = (await Promise.all(children.map((child) => text(child.stdout!)))).flatMap((output) => JSON.parse(output) as number[]);
        expect(new Set(ids).size).toBe(8 * count);
        const db = await openItems(file, { mode: 'read' });
        expect(names(db).sort()).toEqual(
          Array.from({ length: 8 }, (_, i) => Array.from({ length: count }, (_, k) => `process ${i} ${k}`))
            .flat()
            .sort(),
        );
        await db.close();
      }),
    limit(120_000),
  );
});
