import { explorerAddress } from './address.ts';
import { saveBody } from './prefill.ts';
import type { ApiRequest } from './request.ts';

const storageKey = 'explorer history';
const maxEntries = 20;

interface Entry {
  method: string;
  path: string;
  body?: string;
  status: string;
}

const load = (): Entry[] => JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');

/** Stores a request that was sent, until the tab is closed. */
export function addToHistory({ method, path, body }: ApiRequest, status: string): void {
  const rest = load().filter((each) => each.method !== method || each.path !== path || each.body !== body);
  sessionStorage.setItem(storageKey, JSON.stringify([{ method, path, body, status }, ...rest].slice(0, maxEntries)));
}

/** The requests that were sent in this tab, the newest first. */
export function RequestHistory() {
  const entries = load();
  if (!entries.length) return null;
  return (
    <details class="history">
      <summary>History ({entries.length})</summary>
      <ul>
        {entries.map(({ method, path, body, status }) => (
          <li key={`${method} ${path} ${body}`}>
            <a href={explorerAddress(method, path)} onClick={() => body && saveBody(method, path, body)}>
              {method} {path}
            </a>{' '}
            <small class="quiet">{status}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
