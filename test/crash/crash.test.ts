import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { inFolder } from '../support/items.ts';
import { compiled } from '../support/program.ts';
import { limit } from '../support/timeouts.ts';
import { Book } from './expected.ts';
import { everything, openRecords } from './records.ts';

it('a writer that is killed loses nothing that it acknowledged', { timeout: limit(60_000) }, () =>
  inFolder(async (folder) => {
    const file = `${folder}/a.db`;
    const book = new Book();
    const writer = spawn(process.execPath, [compiled('crash/writer.ts'), file, '1', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: writer.stdout })) {
      book.note(line);
      if (book.acknowledged === 30) writer.kill('SIGKILL');
    }
    const db = await openRecords(file);
    expect(book.settle(everything(db))).toEqual([]);
    await db.close();
  }),
);
