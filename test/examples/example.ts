import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { install, pack } from '../support/packed.ts';
import { limit } from '../support/timeouts.ts';
import { installPackages } from './packages.ts';

/** Projects that use the package as it is installed, for the tests of one file. */
export function createExamples() {
  /** The folder that contains the copies. Packages are found in it and above. */
  let folder: string;
  let packages: string | undefined;
  beforeAll(async () => {
    packages = await installPackages();
    folder = mkdtempSync(join(packages ?? tmpdir(), 'calendar-runners-'));
    const { tarball } = await pack(folder);
    await install(tarball, folder);
  }, limit(180_000));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs `npm`. Returns the output of both streams, and throws an error with it if the command fails. */
  async function run(cwd: string, ...args: string[]): Promise<string> {
    // Variables of the test runner around must not affect those inside.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_TEST|JEST|TEST$|npm_)/.test(name)),
    );
    const { stdout, stderr } = await promisify(execFile)('npm', args, {
      cwd,
      env: {
        ...env,
        NO_COLOR: '1',
        CI: '1',
        NEXT_TELEMETRY_DISABLED: '1',
        ASTRO_TELEMETRY_DISABLED: '1',
        GOPROXY: 'off',
        ...(chromiumPath ? { CHROMIUM: chromiumPath } : {}),
      },
      maxBuffer: 16 << 20,
    }).catch((error) => {
      throw new Error(`npm ${args.join(' ')}: ${error.stdout}${error.stderr}`);
    });
    return stdout + stderr;
  }

  return {
    run,
    /** Returns whether the packages of the examples could be installed. */
    hasPackages: () => packages !== undefined,
    /** Copies a project to where it finds its dependencies and the package, and adds options to its `calendar exec`. Returns the folder of the copy. */
    copy(project: string, options = ''): string {
      const home = join(folder, basename(project));
      const isGenerated = (path: string) =>
        /node_modules|__pycache__|_cache|[/\\](out|dist|target|\.next|\.astro)([/\\]|$)|test-results/.test(
          path.slice(resolve(project).length),
        );
      cpSync(resolve(project), home, { recursive: true, filter: (path) => !isGenerated(path) });
      const file = join(home, 'package.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('calendar exec ', `calendar exec ${options}`));
      return home;
    },
  };
}
