import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in BROWSER or the system's browser. Rejects if it can't be started. */
export function openInBrowser(url: string, env: Record<string, string | undefined>): Promise<void> {
  const [command = '', ...args] = env.BROWSER ? [env.BROWSER] : (openers[process.platform] ?? ['xdg-open']);
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.on('error', () => reject(new Error(`Could not open ${url}: ${command} failed to start`)));
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
