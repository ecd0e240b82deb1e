import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Shows a man page (roff) in `man`. Returns false if `man` is not available. */
export async function readManual(name: string, roff: string, env: Record<string, string | undefined>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'calendar-man-'));
  try {
    const file = join(folder, `${name}.1`);
    await writeFile(file, roff);
    return await new Promise((resolve) => {
      const child = spawn('man', [file], { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
      child.on('error', () => resolve(false));
      child.on('close', (code) => resolve(code === 0));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
