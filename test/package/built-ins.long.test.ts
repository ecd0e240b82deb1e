import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { inFolder } from '../support/items.ts';

// Each takes node 20 between 2 and 7 ms.
it.each([
  ['events list', ['child_process', 'http', 'perf_hooks']],
  ['exec -- true', ['perf_hooks']],
])('%s loads none of the modules of node that it does not need', (command, unwanted) =>
  inFolder(async (folder) => {
    const list = join(folder, 'loaded.json');
    const hook = join(folder, 'hook.cjs');
    const loaded = "process.moduleLoadList.filter((name) => name.startsWith('NativeModule '))";
    writeFileSync(hook, `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(${loaded})));`);
    const calendar = (...args: string[]) =>
      execFileSync(process.execPath, ['--require', hook, resolve('dist/calendar.js'), ...args], { cwd: folder, stdio: 'pipe' });
    calendar('tags', 'create', '--name', 'a');
    calendar(...command.split(' '));
    const modules: string[] = JSON.parse(readFileSync(list, 'utf8'));
    expect(modules).toContain('NativeModule zlib');
    expect(modules.filter((name) => unwanted.includes(name.replace('NativeModule ', '')))).toEqual([]);
  }),
);
