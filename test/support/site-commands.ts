import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { admin, type LiveSite, liveSite, namespace, type Quirks } from './live-site.ts';
import { folder, run, type Transcript, words } from './transcript.ts';

/** Commands on a site over a socket and on a file with a copy of it. Each test starts with the same state. */
export interface SiteCommands {
  readonly site: LiveSite;
  /** Runs a command on the copy; `pull`, `push` and `diff` get the address of the site. */
  local(line: string, env?: Record<string, string>, stdin?: string): Promise<Transcript>;
  /** Runs a command on the copy as a user of the site. */
  as(name: string, line: string): Promise<Transcript>;
}

/** Starts a site that has users, and copies it to a file. */
export function siteCommands(quirks: () => Partial<Quirks> = () => ({}), seed = 'minimal'): SiteCommands {
  const { path: cwd, remove } = folder();
  let site: LiveSite;
  const pulled = join(cwd, 'pulled.db');
  let db = '';
  let count = 0;
  const local: SiteCommands['local'] = (line, env = {}, stdin) => {
    const reached = /^(pull|push|diff|sync)/.test(line) ? [site.url, '--header', 'X-Team: blue'] : [];
    const [command = '', ...rest] = words(line);
    return run([command, ...reached, ...rest, '--db', db], { cwd, stdin, env: { CALENDAR_NAMESPACE: namespace, ...env } });
  };
  beforeAll(async () => {
    site = await liveSite(seed, quirks());
    db = pulled;
    await local('pull');
  });
  beforeEach(async () => {
    await site.reset(quirks());
    db = join(cwd, `copy-${++count}.db`);
    copyFileSync(pulled, db);
  });
  afterAll(async () => {
    await site.close();
    remove();
  });
  return {
    get site() {
      return site;
    },
    local,
    as: (name, line) => local(`${line} --user ${name}`, { CALENDAR_PASSWORD: 'x' }),
  };
}

/** Adds an administrator and a contributor. */
export async function addUsers({ control }: LiveSite['origin']): Promise<void> {
  await control.addUser({ name: admin, role: 'administrator', password: 'x' });
  await control.addUser({ name: 'carl', role: 'contributor', password: 'x' });
}
