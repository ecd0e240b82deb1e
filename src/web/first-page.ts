import { siteMark } from '../model/web-page.ts';

/** The script of a static site's worker, in its folder. */
export const workerName = 'calendar-worker.js';

/** Starts the worker, which then answers this address. The page may be deep in the folder of the site, as the page for missing files. */
const script = `
const workerAddress = async () => {
  for (let folder = location.pathname.replace(/[^/]*$/, ''); ; folder = folder.replace(/[^/]+\\/$/, '')) {
    const response = await fetch(folder + '${workerName}').catch(() => undefined);
    if (response?.ok && /javascript/.test(response.headers.get('content-type'))) return folder + '${workerName}';
    if (folder === '/') throw new Error('${workerName} is not on this server.');
  }
};
const start = async () => {
  if (!navigator.serviceWorker)
    throw new Error('This calendar needs a service worker, which this browser does not offer here. Open it at an address with https: or on localhost, and not in a private window.');
  const key = 'calendar start';
  if (Date.now() - Number(sessionStorage.getItem(key)) < 10000)
    throw new Error('The service worker of this calendar does not answer. Reload the page without the Shift key, or try another browser.');
  const registration = await navigator.serviceWorker.register(await workerAddress(), { type: 'module' });
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  await new Promise((resolve, reject) => {
    const check = () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('A file of this calendar could not be loaded. Reload the page to try again.'));
    };
    worker.addEventListener('statechange', check);
    check();
  });
  sessionStorage.setItem(key, Date.now());
  location.reload();
};
start().catch(({ message }) => {
  document.getElementById('state').textContent = message;
});
`;

const styles = 'body { margin: 3rem auto; max-width: 34rem; padding: 0 1rem; font: 1rem/1.5 system-ui; color-scheme: light dark }';

/** The document of a static site for a browser without its worker, at its start and for missing files. `hash` returns a SHA-256 hash in base64. */
export const firstPage = (hash: (text: string) => string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash(script)}'; style-src 'sha256-${hash(styles)}'; connect-src 'self'; worker-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${siteMark}
<title>Calendar</title>
<style>${styles}</style>
</head>
<body>
<p id="state" role="status">Opening the calendar…</p>
<noscript><p>This page requires JavaScript.</p></noscript>
<script type="module">${script}</script>
</body>
</html>
`;
