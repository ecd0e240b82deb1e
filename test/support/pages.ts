import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { limit } from './timeouts.ts';

const root = resolve(import.meta.dirname, '../..');
const bundle = join(root, 'dist/calendar.js');

/** A fenced block of a page. */
export interface Block {
  /** The first word behind the fence, which names the language. */
  language: string;
  /** The file that the block is, from `title="…"` behind the fence. */
  title: string | undefined;
  /** Marked `no-run`: it is impossible or too expensive in a test. */
  isSkipped: boolean;
  /** The last heading above it. */
  heading: string;
  /** The line of the page that it starts on. */
  line: number;
  text: string;
}

/** A command of a `console` block, and what it is said to print. */
export interface Shown {
  command: string;
  output: string;
}

/** All pages for people. */
export const pages = ['.', 'docs', 'bench']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.md'));

/** The fenced blocks of a page, in order. */
export function blocksOf(path: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: (Block & { fence: string; indent: number; lines: string[] }) | undefined;
  for (const [at, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
    const [, indent = '', fence, language = '', rest = ''] = /^( *)(`{3,})(\w*)(.*)$/.exec(line) ?? [];
    if (open && line.trim() === open.fence) {
      const { fence: _, indent, lines, ...block } = open;
      blocks.push({ ...block, text: lines.map((each) => `${each.slice(indent)}\n`).join('') });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) {
      const title = /\btitle="([^"]+)"/.exec(rest)?.[1];
      open = {
        language,
        title,
        isSkipped: /\bno-run\b/.test(rest),
        heading,
        line: at + 1,
        text: '',
        fence,
        indent: indent.length,
        lines: [],
      };
    } else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
  }
  return blocks;
}

/** The commands of a `console` block: a line behind `$ `, with those behind `> ` that continue it; what follows is the output. */
export function shownIn({ text }: Block): Shown[] {
  const shown: Shown[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('$ ')) shown.push({ command: line.slice(2), output: '' });
    else if (shown.length === 0) throw new Error(`a console block starts with a command behind "$ ", not ${line}`);
    else if (line.startsWith('> ') && shown.at(-1)!.output === '') shown.at(-1)!.command += `\n${line.slice(2)}`;
    else shown.at(-1)!.output += `${line}\n`;
  }
  return shown;
}

/** True if an output matches the one shown. `…` matches any characters of a line, alone on a line any lines. */
export function isShown(output: string, shown: string): boolean {
  const plain = (text: string) => text.replaceAll(/[ \t\r]+$/gm, '').trim();
  const pattern = plain(shown)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\n)*?.*' : line.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*?')));
  return new RegExp(`^${pattern.join('\n')}$`).test(plain(output));
}

/** The result of running a page: each command of its `console` blocks with what it printed, or undefined where the page ended before. */
export interface RunPage {
  commands: (Shown & { block: Block; printed: string | undefined })[];
  /** Everything that was printed. */
  all: string;
  /** 0 unless a command of an `sh` block failed. */
  status: number | null;
}

/**
 * Runs the commands of blocks in one shell, in an empty folder where `calendar` and the project's packages are installed and the clock stands at `now`.
 * A block with a title becomes that file. Commands of an `sh` block have to succeed. `calendar serve` goes to the background once it answers, until the
 * next one; its usual port is changed for a free one.
 */
export async function runPage(blocks: Block[], now: string): Promise<RunPage> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-page-'));
  try {
    install(folder);
    const port = String(await freePort());
    const { script, commands } = scriptOf(blocks, port);
    const { CALENDAR_BUNDLE: _, VITEST: __, ...inherited } = process.env;
    const env = {
      ...inherited,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: join(folder, 'home'),
      CALENDAR_NOW: now,
      PORT: port,
      TZ: 'Europe/Amsterdam',
      LANG: 'en_GB.UTF-8',
      NO_COLOR: '1',
      CI: '',
      npm_config_loglevel: 'error',
    };
    const shell = spawn('bash', ['-c', script], {
      cwd: join(folder, 'work'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let all = '';
    shell.stdout.setEncoding('utf8').on('data', (text) => {
      all += text;
    });
    shell.stderr.resume();
    let hangs = false;
    // A command that does not end, such as a server that was started in another way, would block the tests.
    const stop = setTimeout(() => {
      hangs = true;
      process.kill(-shell.pid!, 'SIGKILL');
    }, limit(60_000));
    const status = await new Promise<number | null>((resolve) => shell.on('close', resolve));
    clearTimeout(stop);
    if (hangs) throw new Error(`a command did not end; printed so far:\n${all.replaceAll(mark, '')}`);
    const parts = all.split(mark).map((part) => part.replaceAll(`:${port}`, ':8787').replaceAll(join(folder, 'work'), '…'));
    return { all: parts.join(''), status, commands: commands.map((each, at) => ({ ...each, printed: parts[2 * at + 1] })) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Returns the errors of the TypeScript compiler, with its strictest options, in the files that blocks of pages are. The project is an installed package. Files for
 * Playwright's runner are left out: the project doesn't depend on it.
 */
export function typeProblems(pages: ReadonlyMap<string, Block[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-types-'));
  try {
    install(folder);
    const work = join(folder, 'work');
    writeFileSync(join(work, 'package.json'), '{"type": "module"}');
    const files = [...pages].flatMap(([page, blocks]) =>
      blocks
        .filter(({ title, text }) => title?.endsWith('.ts') && !text.includes('playwright'))
        .map(({ title, text }) => ({ path: join(page, title!), text })),
    );
    for (const { path, text } of files) {
      mkdirSync(dirname(join(work, path)), { recursive: true });
      writeFileSync(join(work, path), text);
    }
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, ...files.map(({ path }) => path)], {
      cwd: work,
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The marks before and after the output of a command. */
const mark = '\x1e';

/** Writes what its commands printed into a page, where that is not what it shows. */
export function updatePage(path: string, { commands }: RunPage): void {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  for (const block of new Set(commands.map(({ block }) => block)).values()) {
    const shown = commands.filter((each) => each.block === block && each.printed !== undefined);
    const text = shown.map(({ command, output, printed }) => {
      const right = isShown(printed!, output) ? output : `${printed!.replaceAll(/[ \t\r]+$/gm, '').trim()}\n`;
      return `$ ${command.replaceAll('\n', '\n> ')}\n${right.trim() && right}`;
    });
    const until = lines.indexOf('```', block.line);
    // The block is replaced by the same number of lines, so that later line numbers do not change.
    lines.splice(block.line, until - block.line, text.join('').trimEnd(), ...Array(until - block.line - 1).fill(removed));
  }
  writeFileSync(join(root, path), lines.filter((line) => line !== removed).join('\n'));
}

const removed = '\0';

/** Puts `calendar` and `curl` on the path of a page, and the project and its packages where its scripts and programs look for them. */
function install(folder: string): void {
  for (const each of ['bin', 'home', 'work/node_modules/.bin']) mkdirSync(join(folder, each), { recursive: true });
  const program = (path: string, text: string) => {
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  };
  program(join(folder, 'bin/calendar'), `exec "${process.execPath}" "${bundle}" "$@"`);
  // Its progress is nothing that a page shows; an answer that is a failure fails where commands have to succeed.
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
  program(join(folder, 'bin/curl'), `exec ${curl} -sS \${FAIL:+--fail} "$@"`);
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const each of ['vitest', '@types', 'typescript', 'vite'])
    symlinkSync(join(root, 'node_modules', each), join(folder, 'work/node_modules', each));
  mkdirSync(dirname(join(folder, 'work/node_modules', name)), { recursive: true });
  symlinkSync(root, join(folder, 'work/node_modules', name));
  symlinkSync(bundle, join(folder, 'work/node_modules/.bin/calendar'));
  for (const each of ['vitest', 'tsc']) symlinkSync(join(root, 'node_modules/.bin', each), join(folder, 'work/node_modules/.bin', each));
}

/** The blocks as one script. */
function scriptOf(blocks: Block[], port: string) {
  const commands: (Shown & { block: Block })[] = [];
  const lines = [
    'exec 2>&1',
    'served=; stop() { [ -z "$served" ] || { kill -- -"$served"; wait "$served"; served=; } 2> /dev/null; }; trap stop EXIT',
    // The answer to `echo $?` is that of the command before.
    `mark() { local status=$?; printf '\\036'; return $status; }`,
  ];
  const run = (command: string) => {
    const text = command.replaceAll('8787', port);
    if (!/^(?:npx )?calendar serve\b(?!.*&$)/.test(text)) return lines.push(text);
    const log = `served.${lines.length}.log`;
    lines.push(`stop; set -m; { ${text.replace(/ +#.*/, '')}; } > ../${log} 2>&1 & served=$!; set +m`);
    lines.push(
      `calendar wait ${/--port (\d+)/.exec(text)?.[1]?.replace(/^/, ':') ?? `:${port}`} --timeout 60s > ../wait.log; grep -v '^GET ' ../${log}`,
    );
  };
  for (const block of blocks)
    if (block.title)
      lines.push(`mkdir -p "$(dirname '${block.title}')"; cat > '${block.title}' << 'END OF FILE'\n${block.text}END OF FILE`);
    else if (block.language === 'sh' && !block.isSkipped) {
      lines.push('export FAIL=1; set -e');
      if (/^(?:npx )?calendar serve\b/m.test(block.text)) for (const line of block.text.trim().split('\n')) run(line);
      else run(block.text);
      lines.push('set +e; unset FAIL');
    } else if (block.language === 'console')
      for (const shown of shownIn(block)) {
        commands.push({ ...shown, block });
        lines.push('mark');
        run(shown.command);
        lines.push('mark');
      }
  return { script: lines.join('\n'), commands };
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
