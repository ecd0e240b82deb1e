import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Modules that many commands import but few use. */
const rarelyUsed = [
  'entities/decode',
  'src/cli/help/examples.ts',
  'src/cli/records/clone.ts',
  'src/cli/records/edit.ts',
  'src/cli/records/read.ts',
  'src/cli/records/restore.ts',
  'src/cli/records/update.ts',
  'src/cli/records/write.ts',
  'src/data/operations/control.ts',
  'src/data/upstream/background-pull.ts',
  'src/data/upstream/begin.ts',
  'src/data/upstream/copied-calendar.ts',
  'src/data/upstream/site-copy.ts',
  'src/model/html/render.ts',
  'src/model/operations/faults.ts',
  'src/server/faults/patch.ts',
  'src/server/hints.ts',
  'src/server/hooks.ts',
  'src/server/journal/journal.ts',
  'src/server/wordpress/upload.ts',
  'src/store/file/wal-writer.ts',
  'src/store/records/dump.ts',
  'src/store/records/posts.ts',
  'src/store/records/terms.ts',
  'src/store/snapshots.ts',
  'src/store/users/password.ts',
];

/** The paths of {@link rarelyUsed} by name. Each becomes a separate part together with what only it imports, and is loaded on first use. */
export const rarelyUsedParts: Record<string, string> = Object.fromEntries(
  rarelyUsed.map((path) => [path.replace(/^src\/|\.ts$/g, '').replaceAll('/', '-'), path]),
);

/** Arguments of frequent commands by their use of SQLite: see src/cli/registry.ts. The last one runs a command against a server, and so loads the client too. */
const frequentCommands = (program: string): Record<'none' | 'file' | 'server', string[][]> => ({
  none: [['--version'], ['--help']],
  file: [
    ['events', 'create', '--title', 'Concert', '--start-date', 'friday 20:00', '--end-date', 'friday 23:00'],
    ['events', 'list', '--limit', '10'],
    ['events', 'get', 'concert'],
  ],
  server: [
    ['exec', '--', process.execPath, '-e', '0'],
    ['exec', '--seed', 'demo', '--', process.execPath, program, 'events', 'list', '--limit', '10'],
  ],
});

const libraryUse = (library: string) => `
  const { createCalendar } = require(${JSON.stringify(library)});
  createCalendar({ seed: 'demo' }).then(async (calendar) => {
    await calendar.events.list();
    await fetch(calendar.url + '/events');
    await calendar.close();
  });`;

/** The names of parts that are loaded often. */
export interface LoadedParts {
  /** Those that a frequent command or the library loads. */
  all: ReadonlySet<string>;
  /** Those that each frequent command loads that uses SQLite in this way. */
  common: Record<'file' | 'server', string[]>;
}

/** Returns the parts that frequent commands and the library load, from the coverage that node writes. */
export function loadedParts(program: string, library: string): LoadedParts {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-parts-'));
  // Without the settings of the developer.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CALENDAR|XDG|NODE)_/.test(name));
  let runs = 0;
  const loadedBy = (args: string[]): string[] => {
    runs += 1;
    const coverage = join(folder, `coverage-${runs}`);
    const env = { ...Object.fromEntries(inherited), NODE_V8_COVERAGE: coverage, HOME: folder };
    execFileSync(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    return readdirSync(coverage).flatMap((file) => {
      const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
      return result.map(({ url }) => url.replace(/^calendar\/(?=\.\/)/, '')).filter((url) => url.startsWith('./'));
    });
  };
  try {
    const { none, file, server } = frequentCommands(program);
    const partsOf = (each: string[][]) => each.map((args) => loadedBy([program, ...args]));
    const runsOf = { none: partsOf(none), file: partsOf(file), server: partsOf(server) };
    const common = ([first, ...others]: string[][]) => first!.filter((name) => others.every((names) => names.includes(name))).sort();
    return {
      all: new Set([...Object.values(runsOf).flat(2), ...loadedBy(['-e', libraryUse(library)])]),
      common: { file: common(runsOf.file), server: common(runsOf.server) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
