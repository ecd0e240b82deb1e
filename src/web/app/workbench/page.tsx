import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Health } from '../../../model/operations/server.ts';
import { context, setClock } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { Main } from '../main-part.tsx';
import { Notice } from '../notice.tsx';
import type { ApiError } from '../server/api.ts';
import { noteChange } from '../server/changes.ts';
import { control, isControlled } from '../server/control.ts';
import { onNotice } from '../server/follow.ts';
import { controlAuthorization, onSession, setControlToken } from '../server/session.ts';
import { Failed } from './card.tsx';
import { Clock } from './clock.tsx';
import { Data } from './data.tsx';
import { Faults } from './faults.tsx';
import { Requests } from './requests.tsx';
import { Snapshots } from './snapshots.tsx';

/** What a developer does with a server that stands in for another: looks at it, and brings it into a state. */
export function WorkbenchPage() {
  useEffect(() => {
    document.title = `Workbench – ${context.title}`;
  }, []);
  const [, again] = useState(0);
  useEffect(() => onSession(() => again((count) => count + 1)), []);
  return <Main class="workbench">{context.control === null ? <Uncontrolled /> : isControlled() ? <Bench /> : <Token />}</Main>;
}

function Bench() {
  const { value, error, loading } = useLoaded(`workbench ${controlAuthorization() ?? ''}`, async (signal) => {
    const [health, snapshots, faults] = await Promise.all([
      control('health', undefined, signal),
      control('snapshots', undefined, signal),
      control('faults', undefined, signal),
    ]);
    setClock(health.value.clock);
    return {
      health: health.value,
      ...snapshots.value,
      ...faults.value,
      mayChange: snapshots.allow.includes('POST'),
      maySteer: faults.allow.includes('POST'),
    };
  });
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (value) setShown(value);
  }, [value]);
  if ((error as ApiError | undefined)?.status === 404 && controlAuthorization()) return <Token failure={error as ApiError} />;
  const found = value ?? shown;
  if (!found)
    return error ? <Notice title="The state of the server could not be loaded">{error.message}</Notice> : <div aria-busy={loading} />;
  const { health, snapshots, faults, mayChange, maySteer } = found;
  return (
    <>
      <State health={health} isLost={error !== undefined} />
      {!maySteer ? <Locked /> : !mayChange && <ReadOnly />}
      <div class="bench">
        <div class="tools-of-bench">
          {mayChange && <Data health={health} />}
          <Clock clock={health.clock} mayChange={maySteer} />
          <Faults faults={faults} mayChange={maySteer} reload={noteChange} />
          <Snapshots snapshots={snapshots} file={health.file} mayChange={mayChange} />
        </div>
        <Requests mayChange={maySteer} />
      </div>
    </>
  );
}

const minute = 60;

/** '45 s', '12 min', '3 h 5 min', '2 days' */
function lengthText(seconds: number): string {
  if (seconds < minute) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** The server in a few words and figures. */
function State({ health, isLost }: { health: Health; isLost: boolean }) {
  const { version, url, file, seed, records, uptime } = health;
  const [begun, setBegun] = useState(0);
  const [, tick] = useState(0);
  useEffect(() => setBegun(performance.now() - uptime * 1000), [uptime]);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const lost = useLost() || isLost;
  return (
    <header class="bench-head">
      <div class="grow">
        <h1>
          Workbench <span class={`pill${lost ? ' bad' : ' good'}`}>{lost ? 'not reached' : 'running'}</span>
        </h1>
        <dl class="server">
          <Item name="Version">{version}</Item>
          <Item name="API">{url && <a href={url}>{url}</a>}</Item>
          <Item name="Kept in">{file ?? 'memory'}</Item>
          <Item name="Seed">{seed ?? 'none'}</Item>
          <Item name="Up for">{lengthText(begun ? (performance.now() - begun) / 1000 : uptime)}</Item>
        </dl>
      </div>
      <dl class="figures">
        {Object.entries(records).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString()}</dd>
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

/** Whether the server was there and is no more. */
function useLost(): boolean {
  const [lost, setLost] = useState(false);
  useEffect(() => {
    const stops = [onNotice('open', () => setLost(false)), onNotice('lost', () => setLost(true))];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return lost;
}

/** A server of a file, which others may look at. */
const Locked = () => (
  <p class="locked">
    <b>This server keeps a file, so it lets others look and no more.</b> Start it with <code>calendar serve --control</code> to reset it,
    move its clock and bring snapshots back from here; the command line of the user who runs it may do so at any time.
  </p>
);

/** A server that was told to change nothing. */
const ReadOnly = () => (
  <p class="locked">
    <b>This calendar is served for reading only.</b> Start it without <code>--read-only</code> to change what it holds.
  </p>
);

const Uncontrolled = () => (
  <>
    <h1 class="unseen">Workbench</h1>
    <Notice title="This server is not controlled from here" quiet>
      <p>
        Other machines can reach it, so it needs a token for that. Start it with <code>calendar serve --control-token TOKEN</code>, or let
        it listen on 127.0.0.1 alone.
      </p>
      <a class="button" href="/">
        To the calendar
      </a>
    </Notice>
  </>
);

/** Asks for the token of a server that wants one. */
function Token({ failure }: { failure?: ApiError }) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        setControlToken(String(new FormData(event.currentTarget).get('token')));
      }}
    >
      <h1>Workbench</h1>
      <p>Who controls this server brings its token: what it was started with as --control-token.</p>
      <div class="field">
        <label for="control-token">Control token</label>
        <input id="control-token" name="token" type="password" autocomplete="off" required aria-invalid={failure ? true : undefined} />
        <p class="hint">It is kept in this tab alone, until you close it.</p>
      </div>
      {failure && <Failed failure={failure} />}
      <p class="form-actions">
        <button type="submit" class="button main">
          Open
        </button>
      </p>
    </form>
  );
}
