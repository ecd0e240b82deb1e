import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { missing } from '../../support/other-programs.ts';
import { limit } from '../../support/timeouts.ts';
import { noTmux, RealTerminal } from '../../support/tmux.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const bundle = resolve('dist/calendar.js');

beforeAll(async () => {
  if (!existsSync(bundle)) throw new Error('run npm run build first: the shells ask the bundle');
  const at = (line: string) => run(words(line), { cwd: place.path });
  await at("events create --title 'Jazz Night' --start-date 2027-01-01 --end-date 2027-01-01 --tags outdoor");
  await at('snapshot save clean');
  writeFileSync(join(place.path, 'calendar.config.json'), '{"profiles": {"my staging": {"db": "calendar.db"}}}');
  writeFileSync(join(place.path, 'plans of june.ics'), '');
  writeFileSync(join(place.path, 'elsewhere.db'), '');
  mkdirSync(join(place.path, 'bin'));
  writeFileSync(join(place.path, 'bin', 'calendar'), `#!/bin/sh\nexec '${process.execPath}' '${bundle}' "$@"\n`);
  chmodSync(join(place.path, 'bin', 'calendar'), 0o755);
}, limit(60_000));

/** The command that starts each shell, and the set-up typed before the script. */
const shells = [
  {
    name: 'bash',
    start: 'bash --noprofile --norc -i',
    setup: [`PS1='ready> '`, 'bind "set bell-style none"', 'eval "$(calendar completion bash)"'],
  },
  {
    name: 'zsh',
    start: 'zsh -f -i',
    setup: [`PS1='ready> '`, 'autoload -Uz compinit && compinit -u -D', 'eval "$(calendar completion zsh)"'],
  },
  {
    name: 'fish',
    start: 'fish --no-config -i',
    setup: [
      'set -g fish_autosuggestion_enabled 0',
      "function fish_prompt; echo 'ready> '; end",
      'function fish_greeting; end',
      'calendar completion fish | source',
    ],
  },
];

/** The typed text, and the line after a TAB and a dot. */
const cases: [typed: string, line: string][] = [
  ['calendar ev', 'calendar events .'],
  ['calendar events li', 'calendar events list .'],
  ['calendar events list --starts-a', 'calendar events list --starts-after .'],
  ['calendar events list --format nd', 'calendar events list --format ndjson .'],
  ['calendar events list --format=nd', 'calendar events list --format=ndjson .'],
  ['calendar events get jaz', 'calendar events get jazz-night .'],
  ['calendar events list --tags=out', 'calendar events list --tags=outdoor .'],
  ['calendar snapshot restore cl', 'calendar snapshot restore clean .'],
  ['calendar agenda --tz Europe/Par', 'calendar agenda --tz Europe/Paris .'],
  ['calendar status --profile my', 'calendar status --profile my\\ staging .'],
  ['calendar help exit', 'calendar help exit-codes .'],
  ['calendar validate plans', 'calendar validate plans\\ of\\ june.ics .'],
  ['calendar --db elsew', 'calendar --db elsewhere.db .'],
  ['calendar events list --db=elsew', 'calendar events list --db=elsewhere.db .'],
];

describe.each(shells)('$name', { timeout: limit(60_000) }, ({ name, start, setup }) => {
  let terminal: RealTerminal | undefined;
  const reason = missing(name) ?? noTmux;
  beforeAll(async () => {
    if (reason) return;
    terminal = new RealTerminal(100, 30);
    const path = `${join(place.path, 'bin')}${delimiter}${process.env.PATH}`;
    terminal.type(`cd '${place.path}'; HOME='${place.path}' PATH='${path}' exec ${start}\n`);
    for (const line of setup) terminal.type(`${line}\n`);
    terminal.type('echo set"-"up\n');
    await terminal.sees(/^set-up$/m);
  }, limit(60_000));
  afterAll(() => terminal?.close());
  beforeEach(({ skip }) => skip(reason !== undefined, reason));

  /** An empty line on an empty screen. */
  async function cleared(): Promise<RealTerminal> {
    await terminal!.press('C-e', 'C-u', 'C-l');
    await terminal!.sees(/^\s*ready>\s*$/);
    return terminal!;
  }

  it.for(cases)('%s', async ([typed, line]) => {
    const shell = await cleared();
    shell.type(typed);
    await shell.press('Tab', '.');
    const screen = await shell.sees(/\.\s*$/);
    expect(screen.trim()).toBe(`ready> ${line}`);
  });

  it('completes the word before the cursor', async () => {
    const shell = await cleared();
    shell.type('calendar events lis --all');
    await shell.press('Left', 'Left', 'Left', 'Left', 'Left', 'Left', 'Tab');
    expect((await shell.sees('list')).trim()).toMatch(/^ready> calendar events list +--all$/);
  });

  it('lists completions, with descriptions if the shell shows them', async () => {
    const shell = await cleared();
    shell.type('calendar events list --starts-');
    await shell.press('Tab', 'Tab');
    const screen = await shell.sees('--starts-before');
    expect(screen).toContain('--starts-after');
    if (name !== 'bash') expect(screen).toContain('Only events that start after this date');
  });
});
