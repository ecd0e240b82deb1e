import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { agreed, askSecret, confirm } from '../../../src/cli/terminal/prompt.ts';
import { Interrupted, type Terminal } from '../../../src/cli/terminal/terminal.ts';
import { attended as waiting } from '../../support/attended.ts';
import { folder } from '../../support/transcript.ts';

/** A terminal on which some keys are pressed; `written` gives what it shows. */
function attended(keys: string): { terminal: Terminal; written: () => { stdout: string; stderr: string } } {
  const tty = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, setRawMode: () => {} });
  const [stdin, stdout, stderr] = [tty(), tty(), tty()];
  stdin.write(keys);
  const terminal = { stdin, stdout, stderr, env: {}, cwd: '/', now: () => 0, interrupted: new AbortController().signal };
  return { terminal, written: () => ({ stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' }) };
}

describe('a hidden text', () => {
  it.each([
    ['is what was typed', 'secret\r', 'secret'],
    ['keeps blanks and signs', ' pass wörd 😀 \r', ' pass wörd 😀 '],
    ['may be corrected', 'secrx\x7fet\r', 'secret'],
    ['may be begun again', 'wrong\x15right\r', 'right'],
    ['takes no part of an arrow key', 'se\x1b[Ccret\r', 'secret'],
    ['is empty after ctrl-d', '\x04', ''],
  ])('%s', async (_, keys, text) => {
    const { terminal, written } = attended(keys);
    expect(await askSecret(terminal, 'Password: ')).toBe(text);
    expect(written()).toEqual({ stdout: '', stderr: 'Password: \n' });
  });
  it('ends the command on ctrl-c', async () => {
    const { terminal } = attended('sec\x03');
    await expect(askSecret(terminal, 'Password: ')).rejects.toEqual(new Interrupted('SIGINT'));
  });
});

describe('a question', () => {
  it.each([
    ['y\r', true],
    ['YES\r', true],
    ['\r', false],
    ['no\r', false],
    ['yesterday\r', false],
    ['\x04', false],
  ])('%j is %s', async (keys, answer) => {
    const { terminal, written } = attended(keys);
    expect(await confirm(terminal, 'Delete it?')).toBe(answer);
    expect(written()).toEqual({ stdout: '', stderr: expect.stringContaining('Delete it? [y/N] ') });
  });
  it('ends the command on ctrl-c', async () => {
    await expect(confirm(attended('\x03').terminal, 'Delete it?')).rejects.toBeInstanceOf(Interrupted);
  });
  it('is skipped with --yes', async () => expect(await agreed(attended('').terminal, 'Delete it?', true)).toBe(true));
  it('fails without a terminal', async () => {
    const { terminal } = attended('');
    await expect(agreed({ ...terminal, stdin: new PassThrough() }, 'Delete it?')).rejects.toMatchObject({
      message: 'Confirmation required: Delete it?',
      hint: 'Pass --yes.',
    });
  });
});

describe('standard input that somebody has to type', () => {
  it.each([
    [['events', 'create', '--data', '-'], 'Reading JSON from', '{"title":"T","start_date":"2027-01-01","end_date":"2027-01-02"}'],
    [['events', 'get', '-'], 'Reading IDs or slugs from', '1'],
    [['import', '-', '--format', 'ndjson'], 'Reading data from', '{"resource":"tags","name":"x"}'],
  ])('%s says that it waits', async (args, says, text) => {
    const place = folder();
    try {
      const { terminal, type, end, sees } = waiting(place.path);
      const done = main([...args, '--db', 'typed.db'], terminal);
      expect(await sees(says)).toBe(`calendar: ${says} the terminal. Press Ctrl-D to end.\n`);
      type(text);
      end();
      await done;
    } finally {
      place.remove();
    }
  });
});
