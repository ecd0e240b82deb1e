/**
 * The token in the address that `calendar serve` printed. The page takes it before any other module runs, and removes it from the address. It is stored until the tab is closed, is sent only
 * with requests of the page, and is passed on to other tabs of this server, not to other origins.
 */
const key = 'page token';
const channel = new BroadcastChannel('calendar page token');
const listeners = new Set<() => void>();

export const pageToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** Calls the listener when another tab has passed on the token. */
export const onPageToken = (listener: () => void): void => void listeners.add(listener);

function store(token: string): void {
  sessionStorage.setItem(key, token);
  for (const listener of listeners) listener();
}

const [, given] = /^#token=([\w-]{22})$/.exec(location.hash) ?? [];
if (given) {
  store(given);
  history.replaceState(history.state, '', location.pathname + location.search);
}
// A new tab asks the open ones; a token from an address replaces those of an earlier server in the others.
channel.addEventListener('message', ({ data }: MessageEvent<{ token?: string; isNew?: boolean }>) => {
  const own = pageToken();
  if (data.token === undefined) {
    if (own !== undefined) channel.postMessage({ token: own });
  } else if (own === undefined || (data.isNew && data.token !== own)) store(data.token);
});
if (given || pageToken() === undefined) channel.postMessage(given ? { token: given, isNew: true } : {});
