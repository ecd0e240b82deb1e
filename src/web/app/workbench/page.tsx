import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Health } from '../../../model/operations/server.ts';
import { context, setClock } from '../context.ts';
import { countText } from '../format.ts';
import { Main } from '../landmark.tsx';
import { useLoaded } from '../loading.ts';
import { Notice } from '../notice.tsx';
import type { ApiError } from '../server/api.ts';
import { noteChange } from '../server/changes.ts';
import { useConnectionLost } from '../server/connection.ts';
import { callOperation, canUseControl } from '../server/control.ts';
import { controlAuthorization, onSession, setControlToken } from '../server/session.ts';
import { ErrorMessage } from './card.tsx';
import { Clock } from './clock.tsx';
import { Data } from './data.tsx';
import { Faults } from './faults.tsx';
import { Requests } from './requests.tsx';
import { Snapshots } from './snapshots.tsx';

/** The workbench: state of the server, records, clock, faults, snapshots and requests. */
export function WorkbenchPage() {
  useEffect(() => {
    document.title = `Workbench – ${context.title}`;
  }, []);
  const [, rerender] = useState(0);
  useEffect(() => onSession(() => rerender((count) => count + 1)), []);
  return <Main class="workbench">{context.control === null ? <Unavailable /> : canUseControl() ? <Cards /> : <TokenForm />}</Main>;
}

function Cards() {
  const { value, error, loading } = useLoaded(`workbench ${controlAuthorization() ?? ''}`, async (signal) => {
    const [health, snapshots, faults] = await Promise.all([
      callOperation('health', undefined, signal),
      callOperation('snapshots', undefined, signal),
      callOperation('faults', undefined, signal),
    ]);
    setClock(health.value.clock);
    return {
      health: health.value,
      ...snapshots.value,
      ...faults.value,
      canEdit: snapshots.allow.includes('POST'),
      canControl: faults.allow.includes('POST'),
    };
  });
  const [previous, setPrevious] = useState(value);
  useEffect(() => {
    if (value) setPrevious(value);
  }, [value]);
  if ((error as ApiError | undefined)?.status === 404 && controlAuthorization()) return <TokenForm error={error as ApiError} />;
  const state = value ?? previous;
  if (!state) return error ? <Notice title="Couldn’t load the state of the server">{error.message}</Notice> : <div aria-busy={loading} />;
  const { health, snapshots, faults, canEdit, canControl } = state;
  return (
    <>
      <ServerState health={health} hasFailed={error !== undefined} />
      {!canControl ? <ReadOnlyControl /> : !canEdit && <ReadOnlyCalendar />}
      <div class="bench">
        <div class="tools-of-bench">
          {canEdit && <Data health={health} />}
          <Clock clock={health.clock} canEdit={canControl} />
          <Faults faults={faults} canEdit={canControl} reload={noteChange} />
          <Snapshots snapshots={snapshots} file={health.file} canEdit={canEdit} />
        </div>
        <Requests canEdit={canControl} />
      </div>
    </>
  );
}

const minute = 60;

/** '45 s', '12 min', '3 h 5 min', '2 days' */
function uptimeText(seconds: number): string {
  if (seconds < minute) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

function ServerState({ health, hasFailed }: { health: Health; hasFailed: boolean }) {
  const { version, url, file, seed, records, uptime } = health;
  const [startedAt, setStartedAt] = useState(0);
  const [, tick] = useState(0);
  useEffect(() => setStartedAt(performance.now() - uptime * 1000), [uptime]);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const isLost = useConnectionLost() || hasFailed;
  return (
    <header class="bench-head">
      <div class="grow">
        <h1>
          Workbench <span class={`pill${isLost ? ' bad' : ' good'}`}>{isLost ? 'Not connected' : 'Running'}</span>
        </h1>
        <dl class="server">
          <Item name="Version">{version}</Item>
          <Item name="API">{url && <a href={url}>{url}</a>}</Item>
          <Item name="Storage">{file ?? 'memory'}</Item>
          <Item name="Seed">{seed ?? 'none'}</Item>
          <Item name="Uptime">{uptimeText(startedAt ? (performance.now() - startedAt) / 1000 : uptime)}</Item>
        </dl>
      </div>
      <dl class="figures">
        {Object.entries(records).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{countText(count)}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

const Item = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Shown if the control API is read-only because the calendar is stored in a file. */
const ReadOnlyControl = () => (
  <p class="locked">
    <b>The workbench is read-only because this calendar is stored in a file.</b> Restart the server with{' '}
    <code>calendar serve --control</code> to reset records, set the clock and restore snapshots here. The user who runs the server can
    always do so from the command line.
  </p>
);

/** Shown if the server runs with --read-only. */
const ReadOnlyCalendar = () => (
  <p class="locked">
    <b>This calendar is read-only.</b> Restart the server without <code>--read-only</code> to change records.
  </p>
);

const Unavailable = () => (
  <>
    <h1 class="unseen">Workbench</h1>
    <Notice title="The workbench isn’t available" quiet>
      <p>
        This server accepts connections from other machines and has no control token. Restart it with{' '}
        <code>calendar serve --control-token TOKEN</code>, or have it listen on 127.0.0.1 only.
      </p>
      <a class="button" href="/">
        Go to calendar
      </a>
    </Notice>
  </>
);

/** Asks for the control token. */
function TokenForm({ error }: { error?: ApiError }) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        setControlToken(String(new FormData(event.currentTarget).get('token')));
      }}
    >
      <h1>Workbench</h1>
      <p>
        Enter the control token of this server, as set with <code>--control-token</code>.
      </p>
      <div class="field">
        <label for="control-token">Control token</label>
        <input id="control-token" name="token" type="password" autocomplete="off" required aria-invalid={error ? true : undefined} />
        <p class="hint">Stored in this tab until you close it.</p>
      </div>
      {error && <ErrorMessage error={error} />}
      <p class="form-actions">
        <button type="submit" class="button main">
          Connect
        </button>
      </p>
    </form>
  );
}
