import { spawn } from 'node:child_process';
import { Failure } from '../../model/error.ts';

/** Opens a file in VISUAL, EDITOR, vi or notepad, and waits. Rejects with `bad-request` if the editor fails. */
export function openInEditor(file: string, env: Record<string, string | undefined>): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = env.VISUAL || env.EDITOR || (isWindows ? 'notepad' : 'vi');
  // Through a shell, as git does, so that the editor may have arguments: "code --wait".
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env: env as NodeJS.ProcessEnv })
    : spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Failure('bad-request', `The editor ${JSON.stringify(editor)} ${reason}`, 'Set VISUAL or EDITOR.'));
    child.on('error', (error) => fail(`failed to start: ${error.message}`));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(`exited with ${signal ?? code}`)));
  });
}
