import type { Metafile } from 'esbuild';

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
  'src/server/webhooks/webhooks.ts',
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

/** Modules that frequent commands start with. */
const startingModules = [
  'bin/calendar.ts',
  'bin/library.ts',
  'node_modules/sql.js/dist/sql-wasm.js',
  'src/cli/program.ts',
  'src/cli/commands/resource.ts',
  'src/cli/commands/exec.ts',
  'src/cli/commands/serve.ts',
  'src/cli/connect/connect.ts',
  'src/cli/print/print.ts',
  'src/data/serving/serve.ts',
  'src/store/cache/cached-reads.ts',
  'src/testing/connect.ts',
];

/**
 * Returns the parts that frequent commands load. All others are compressed, which makes the bundle shorter: node reads the whole file before each command.
 * Throws if one of the modules is not the start of a part.
 */
export function frequentParts({ outputs }: Metafile): Set<string> {
  const parts = new Set<string>();
  const add = (path: string): void => {
    if (parts.has(path)) return;
    parts.add(path);
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') add(imported);
  };
  for (const module of startingModules) {
    const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === module) ?? [];
    if (path === undefined)
      throw new Error(`${module} is not loaded on demand; remove it from the modules that frequent commands start with`);
    add(path);
  }
  return parts;
}
