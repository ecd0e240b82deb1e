import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type * as Served from './served.ts';
import type * as Transcripts from './transcript.ts';
import { words } from './transcript.ts';

/** A copy of this program in a temporary folder, whose source a test changes before it imports modules from it. */
export class ProgramCopy {
  readonly path: string;

  constructor(name: string) {
    this.path = mkdtempSync(join(tmpdir(), `calendar-${name}-`));
    for (const path of ['bin', 'src', 'fixtures', 'package.json', 'tsconfig.json', 'test/support'])
      cpSync(resolve(path), join(this.path, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(this.path, 'node_modules'));
  }

  /** Replaces a text that a file contains once. */
  replace(path: string, before: string, after: string): void {
    const file = join(this.path, path);
    const parts = readFileSync(file, 'utf8').split(before);
    expect(parts, `${path} has one ${before}`).toHaveLength(2);
    writeFileSync(file, parts.join(after));
  }

  /** Inserts lines into a file before a text that it contains once. */
  insert(path: string, before: string, ...lines: readonly string[]): void {
    this.replace(path, before, `${lines.join('\n')}\n${before}`);
  }

  /** Imports a module of the copy. */
  async load<Module>(path: string): Promise<Module> {
    await import(join(this.path, 'bin/machine/here.ts'));
    return (await import(join(this.path, path))) as Module;
  }

  /** Runs a command of the copy. */
  async run(line: string, stdin?: string): ReturnType<typeof Transcripts.run> {
    const { run } = await this.load<typeof Transcripts>('test/support/transcript.ts');
    return run(words(line), { cwd: this.path, stdin });
  }

  /** Runs a command of the copy, which must succeed, and returns its output. */
  async printed(line: string, stdin?: string): Promise<string> {
    const { exit, stdout, stderr } = await this.run(line, stdin);
    expect([line, exit, exit ? stderr : '']).toEqual([line, 0, '']);
    return stdout;
  }

  /** Starts a server of the copy. */
  async served(...args: Parameters<typeof Served.served>): ReturnType<typeof Served.served> {
    return (await this.load<typeof Served>('test/support/served.ts')).served(...args);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
