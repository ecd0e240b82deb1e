import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ResourceName } from '../../../model/calendar.ts';
import type { Health } from '../../../model/operation-types.ts';
import { context, setClock } from '../context.ts';
import { loadTable } from '../data/records.ts';
import { tableNames } from '../data/state.ts';
import { countText } from '../format.ts';
import { useLoaded } from '../loading.ts';
import { Button, Main, usePageTitle } from '../parts/controls.tsx';
import { toast } from '../parts/toast.tsx';
import { noteChange, useConnectionLost } from '../server/changes.ts';
import { callAndReload, callOperation } from '../server/control.ts';
import { controlAuthorization } from '../server/session.ts';
import { Clock } from './clock.tsx';
import { Data } from './data.tsx';
import { Faults } from './faults.tsx';
import { accessReason, ControlGate, StateFailed } from './gate.tsx';
import { Sites } from './sites.tsx';
import { Snapshots } from './snapshots.tsx';
import './workbench.css';

/** The workbench: state of the server, records, clock, faults and snapshots. */
export function WorkbenchPage() {
  usePageTitle('Workbench');
  return (
    <Main class="workbench">
      <ControlGate title="Workbench">{() => <Cards />}</ControlGate>
    </Main>
  );
}

/** The number of records in each table of Data. */
async function recordCounts(signal: AbortSignal): Promise<Record<string, number>> {
  const count = async (table: ResourceName) =>
    [table, (await loadTable({ table, filters: {}, columns: ['id'], selected: new Set() }, signal)).rows.length] as const;
  return Object.fromEntries(await Promise.all(tableNames.map(count)));
}

function Cards() {
  const { value, error, loading } = useLoaded(`workbench ${controlAuthorization() ?? ''}`, async (signal) => {
    const [health, snapshots, faults, records] = await Promise.all([
      callOperation('health', undefined, signal),
      callOperation('snapshots', undefined, signal),
      callOperation('faults', undefined, signal),
      recordCounts(signal),
    ]);
    setClock(health.value.clock);
    return {
      health: health.value,
      records,
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
  const state = value ?? previous;
  if (!state) return error ? <StateFailed title="Workbench" error={error} /> : <div aria-busy={loading} />;
  const { health, records, snapshots, faults, canEdit, canControl } = state;
  return (
    <>
      <ServerState health={health} records={records} hasFailed={error !== undefined} canPull={canControl} />
      {canControl && !context.ownCopy && <Sites file={health.file} />}
      {!canControl ? <ReadOnlyControl /> : !canEdit && <ReadOnlyCalendar />}
      <div class="workbench-cards">
        {canEdit && <Data health={health} />}
        <Clock clock={health.clock} canEdit={canControl} />
        <Faults faults={faults} canEdit={canControl} reload={noteChange} />
        <Snapshots snapshots={snapshots} file={health.file} canEdit={canEdit} />
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

/** Pulls from the site that the calendar is a copy of. */
const pullNow = () =>
  void callAndReload('pullNow').then(
    ({ created, updated, deleted }) => toast(`Pulled: ${created} created, ${updated} updated, ${deleted} deleted.`),
    (error: Error) => toast(error.message),
  );

interface ServerStateProps {
  health: Health;
  records: Record<string, number>;
  hasFailed: boolean;
  canPull: boolean;
}

function ServerState({ health, records, hasFailed, canPull }: ServerStateProps) {
  const { version, url, file, seed, uptime, copy } = health;
  const [startedAt, setStartedAt] = useState(0);
  const [, tick] = useState(0);
  useEffect(() => setStartedAt(performance.now() - uptime * 1000), [uptime]);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  const isLost = useConnectionLost() || hasFailed;
  return (
    <header class="workbench-head">
      <div>
        <h1>
          Workbench <span class={`pill${isLost ? ' bad' : ''}`}>{isLost ? 'Not connected' : 'Running'}</span>
        </h1>
        <dl class="workbench-server">
          <Item name="Version">{version}</Item>
          <Item name="API">{url && <a href={url}>{url}</a>}</Item>
          <Item name="Storage">{file ?? (context.ownCopy ? 'this browser' : 'memory')}</Item>
          <Item name="Seed">{seed ?? 'none'}</Item>
          {copy && (
            <Item name="Site">
              {copy.text} {canPull && <Button label="Pull now" look="small" onClick={pullNow} />}
            </Item>
          )}
          <Item name="Uptime">{uptimeText(startedAt ? (performance.now() - startedAt) / 1000 : uptime)}</Item>
        </dl>
      </div>
      <dl class="workbench-figures">
        {Object.entries(records).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <a href={`/_calendar/data?table=${name}`}>{countText(count)}</a>
            </dd>
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

/** Shown to those who may not change the calendar as a whole. */
const ReadOnlyControl = () => (
  <p class="message">
    <b>The workbench is read-only here.</b> {accessReason()} <code>calendar serve --control</code> allows everyone on this machine to change
    it.
  </p>
);

/** Shown if the server runs with --read-only. */
const ReadOnlyCalendar = () => (
  <p class="message">
    <b>This calendar is read-only.</b> Restart the server without <code>--read-only</code> to change records.
  </p>
);
