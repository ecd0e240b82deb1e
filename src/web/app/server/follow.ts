import { controlPath } from '../../../model/operations/control.ts';
import { noteChange } from './changes.ts';
import { isControlled } from './control.ts';
import { controlAuthorization, onSession } from './session.ts';

/** What a server tells of as it happens, by the name of the notice. */
type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Hears notices of a name until the function that it gives is called; `open` and `lost` are of the connection itself. */
export function onNotice(name: string, listener: Listener): () => void {
  const those = listeners.get(name) ?? new Set();
  listeners.set(name, those.add(listener));
  return () => void those.delete(listener);
}

/** Milliseconds until a connection that broke is made again; twice as many each time that it fails. */
const soonest = 1000;
const latest = 30_000;

/** The connection, as long as somebody looks at this tab: a browser has only a few for all tabs of a server. */
let connection: AbortController | undefined;
let last = '';
let missed = false;

/** Reads the notices of a stream of server-sent events. */
async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const notices = `${rest}${value}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = notices.pop()!;
    for (const notice of notices) hear(notice);
  }
}

function hear(text: string): void {
  const fields = new Map(text.split('\n').map((line) => /^(\w*):? ?(.*)$/.exec(line)?.slice(1) as [string, string]));
  last = fields.get('id') ?? last;
  const data = fields.get('data');
  if (data === undefined) return;
  const name = fields.get('event') ?? 'message';
  if (name !== 'request') noteChange();
  for (const listener of listeners.get(name) ?? []) listener(JSON.parse(data));
}

async function connect(signal: AbortSignal, onOpen: () => void): Promise<void> {
  const header = controlAuthorization();
  const response = await fetch(`${controlPath}/events`, {
    signal,
    cache: 'no-store',
    credentials: 'omit',
    headers: { Accept: 'text/event-stream', ...(header && { Authorization: header }), ...(last && { 'Last-Event-ID': last }) },
  });
  if (!response.ok || !response.body) throw new Refused();
  onOpen();
  await read(response.body);
}

/** The server does not tell: asking again would not help. */
class Refused extends Error {}

async function keepConnected(signal: AbortSignal): Promise<void> {
  let wait = soonest;
  while (!signal.aborted) {
    try {
      await connect(signal, () => {
        wait = soonest;
        if (missed) noteChange();
        missed = false;
        for (const listener of listeners.get('open') ?? []) listener(undefined);
      });
    } catch (error) {
      if (error instanceof Refused) return;
    }
    for (const listener of listeners.get('lost') ?? []) listener(undefined);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, latest);
    // What happened meanwhile is not known: the next connection says that it may have been anything.
    missed = true;
  }
}

function restart(): void {
  connection?.abort();
  connection = undefined;
  if (document.visibilityState !== 'visible' || !isControlled()) return;
  connection = new AbortController();
  void keepConnected(connection.signal);
}

/** Follows what happens at the server, while somebody looks at this tab. Where it is not told, the page works without. */
export function startFollowing(): void {
  document.addEventListener('visibilitychange', restart);
  onSession(restart);
  restart();
}
