import { controlPath } from '../../../model/addresses.ts';
import { splitStream } from './api.ts';
import { noteChange, retryDelayMs, setFailing } from './changes.ts';
import { canUseControl, controlAuthorization, onSession } from './session.ts';

/** Receives the data of a server-sent event. */
type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Listens for server-sent events; `open` reports a new connection. Returns a function that removes the listener. */
export function onServerEvent(name: string, listener: Listener): () => void {
  const ofType = listeners.get(name) ?? new Set();
  listeners.set(name, ofType.add(listener));
  return () => void ofType.delete(listener);
}

const notifyListeners = (name: string, data?: unknown): void => {
  for (const listener of listeners.get(name) ?? []) listener(data);
};

/** The current connection. Hidden tabs close it, because browsers limit the connections per server. */
let connection: AbortController | undefined;
let lastId = '';
let isInterrupted = false;

function handleEvent(text: string): void {
  const fields = new Map(text.split('\n').map((line) => /^(\w*):? ?(.*)$/s.exec(line)?.slice(1) as [string, string]));
  lastId = fields.get('id') ?? lastId;
  const data = fields.get('data');
  if (data === undefined) return;
  const name = fields.get('event') ?? 'message';
  if (name !== 'request') noteChange();
  notifyListeners(name, JSON.parse(data));
}

async function connect(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const header = controlAuthorization();
  const response = await fetch(`${controlPath}/events`, {
    signal,
    cache: 'no-store',
    credentials: 'omit',
    headers: { Accept: 'text/event-stream', ...(header && { Authorization: header }), ...(lastId && { 'Last-Event-ID': lastId }) },
  });
  if (!response.ok || !response.body) throw new StreamRefused();
  onOpen();
  for await (const event of splitStream(response.body, '\n\n')) handleEvent(event);
}

/** Thrown when the server doesn't offer the stream. Retrying wouldn't help. */
class StreamRefused extends Error {}

async function keepConnected(signal: AbortSignal): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await connect(signal, () => {
        attempts = 0;
        setFailing(keepConnected, false);
        if (isInterrupted) noteChange();
        isInterrupted = false;
        notifyListeners('open');
      });
    } catch (error) {
      if (error instanceof StreamRefused) return setFailing(keepConnected, false);
    }
    if (signal.aborted) return;
    // A stream that ends may reconnect immediately. Only failed attempts count.
    if (attempts > 0) setFailing(keepConnected, true);
    await new Promise((resolve) => setTimeout(resolve, retryDelayMs(Math.max(1, attempts))));
    if (signal.aborted) return;
    // Events may have been missed: reload everything after reconnecting.
    isInterrupted = true;
  }
}

function restart(): void {
  connection?.abort();
  connection = undefined;
  setFailing(keepConnected, false);
  if (document.visibilityState !== 'visible' || !canUseControl()) return;
  connection = new AbortController();
  void keepConnected(connection.signal);
}

/** Receives events from the server while this tab is visible. The page works without them if the server doesn't offer any. */
export function startStream(): void {
  document.addEventListener('visibilitychange', restart);
  onSession(restart);
  restart();
}
