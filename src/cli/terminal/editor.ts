import { spawn } from 'node:child_process';
import { Failure } from '../../model/error.ts';

/** Lets somebody change a file in the editor that VISUAL or EDITOR names, else vi or notepad. Fails if it cannot be run, or ends with a failure. */
export function openInEditor(file: string, env: Record<string, string | undefined>): Promise<void> {
  const isWindows = process.platform === 'win32';
  const editor = env.VISUAL || env.EDITOR || (isWindows ? 'notepad' : 'vi');
  // As git does, so that the editor may have arguments of its own: "code --wait".
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit', env: env as NodeJS.ProcessEnv })
    : spawn('sh', ['-c', `${editor} "$@"`, editor, file], { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Failure('bad-request', `the editor ${JSON.stringify(editor)} ${reason}`, {}, 'Name one in VISUAL or EDITOR.'));
    child.on('error', (error) => fail(`cannot be run: ${error.message}`));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(`ended with ${signal ?? code}`)));
  });
}
