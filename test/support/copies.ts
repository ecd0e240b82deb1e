import { afterAll, afterEach, beforeEach } from 'vitest';
import { type Served, served } from './served.ts';
import { servers } from './serving.ts';
import { folder, run, type Transcript, words } from './transcript.ts';

/** A site with the demo before each test, and a folder in which files are copies of it, a new one for each test. */
export function copiesOfSite() {
  const { path: cwd, remove } = folder();
  const serve = servers(cwd);
  let site: Served;
  let count = 0;
  beforeEach(async () => {
    site = await served();
    count++;
    await run(words(`seed demo --url ${site.url}`), { cwd });
  });
  afterEach(() => site.close());
  afterAll(remove);
  const here = (line: string): Promise<Transcript> => run(words(`${line} --db copy-${count}.db`), { cwd });
  return {
    cwd,
    serve,
    here,
    url: () => site.url,
    there: (line: string): Promise<Transcript> => run(words(`${line} --url ${site.url}`), { cwd }),
    /** The line of `status` about the site. */
    row: async () => /^site +(.*)$/m.exec((await here('status')).stdout.replace(/localhost:\d+/, 'SITE'))?.[1],
  };
}
