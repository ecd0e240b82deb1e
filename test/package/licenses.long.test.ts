import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { noticeOf, noticesOf } from '../../build/licenses.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-licenses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');
const all = notices
  .split(`\n${'-'.repeat(80)}\n\n`)
  .slice(1)
  .map((text) => ({
    text,
    ...(/^(?<name>\S+) (?<version>\S+) \((?<license>.*)\)\n/.exec(text)!.groups as Record<'name' | 'version' | 'license', string>),
  }));

describe('the notices', () => {
  it('list the bundled packages of command line and page once', () => {
    const names = all.map(({ name, version }) => `${name} ${version}`);
    for (const name of ['undici', 'zod', 'ink', 'sql.js', 'commander', 'preact']) expect(all.map((each) => each.name)).toContain(name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(all)('$name has a license like MIT, whose text is included', ({ name, license, text }) => {
    if (name === 'ical.js') {
      expect(license).toBe('MPL-2.0');
      expect(text).toContain('their source is at https://');
    } else expect(['0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']).toContain(license);
    expect(text).toMatch(/copyright/i);
    expect(text.length).toBeGreaterThan(500);
  });

  it('are of the versions that are installed', () => {
    const known = all.filter(
      ({ name, version }) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version === version,
    );
    expect(known.length).toBeGreaterThan(30);
    expect([...new Set(all.map(({ name }) => name))].filter((name) => !known.some((each) => each.name === name))).toEqual([]);
  });
});

describe('a package that is to be bundled', () => {
  function made(name: string, about: Record<string, unknown>, text?: string): string {
    const home = join(folder, name);
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...about }));
    if (text) writeFileSync(join(home, 'LICENSE'), text);
    return home;
  }

  it.each([
    ['copyleft', { license: 'GPL-3.0-only' }],
    ['network-copyleft', { license: 'AGPL-3.0' }],
    ['weak-copyleft', { license: 'MPL-2.0' }],
    ['unsaid', {}],
    ['private', { license: 'UNLICENSED' }],
    ['old-form', { license: { type: 'MIT' } }],
  ])('stops the build: %s', (name, about) => {
    expect(() => noticesOf([made(name, about, 'text')])).toThrow(`${name} is under`);
  });

  it('stops the build without the text of its license', () => {
    expect(() => noticeOf(made('textless', { license: 'ISC' }))).toThrow('textless brings no text');
  });

  it('names its owner where it brings MIT by name alone', () => {
    expect(noticeOf(made('short', { license: 'MIT', author: 'Ada' }))).toMatch(
      /^short 1\.0\.0 \(MIT\)\n\nMIT License\n\nCopyright \(c\) Ada\n/,
    );
  });
});

describe('the audit', () => {
  /** Runs it with an npm that answers this. */
  function audit(answer: string) {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho '${answer}'\nexit 1\n`);
    chmodSync(join(folder, 'npm'), 0o755);
    const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) };
    return spawnSync(process.execPath, ['.ci/audit.mjs'], { encoding: 'utf8', env });
  }
  const fault = (name: string) => JSON.stringify({ vulnerabilities: { [name]: { name, severity: 'high', range: '<9' } } });

  it.each([
    ['fails for a fault of what is bundled', fault('undici'), 1, 'BUNDLED: undici <9, high'],
    ['names a fault of what is not', fault('vitest'), 0, 'not bundled: vitest <9, high'],
    ['has no response', '{"message": "no network"}', 0, 'not asked, for the registry does not answer it: no network'],
  ])('%s', (_, answer, status, text) => {
    const done = audit(answer);
    expect([done.status, done.stderr]).toEqual([status, '']);
    expect(done.stdout).toContain(text);
  });
});
