import project from '../../package.json' with { type: 'json' };

/** Facts about this program and where it runs, for bug reports. */
interface ProgramFacts {
  version: string;
  /** Version of Node, or of Bun or Deno. */
  runtime: string;
  /** Operating system and architecture, like `linux x64`. */
  platform: string;
  /** Version of SQLite. */
  sqlite: string;
  /** Number of the format in which files are written. */
  file_format: number;
}

export async function programFacts(): Promise<ProgramFacts> {
  const [{ loadSqlite }, { Sqlite }, { calendarFile }] = await Promise.all([
    import('../store/sqlite/engine.ts'),
    import('../store/sqlite/sqlite.ts'),
    import('../store/records/schema.ts'),
  ]);
  const { versions, platform, arch } = process;
  const [name, version] = versions.bun ? ['Bun', versions.bun] : versions.deno ? ['Deno', versions.deno] : ['Node', versions.node];
  const [row] = new Sqlite(await loadSqlite(), undefined, {}).rows('select sqlite_version() as version', [], 1);
  return {
    version: project.version,
    runtime: `${name} ${version}`,
    platform: `${platform} ${arch}`,
    sqlite: String(row!.version),
    file_format: calendarFile.schema,
  };
}
