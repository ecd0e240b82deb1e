import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { withoutWorld, worldPrefixOf } from '../../../model/addresses.ts';
import type { FaultInfo, WorldInfo } from '../../../model/operation-types.ts';
import { navigate, trafficAddress } from '../address.ts';
import { context } from '../context.ts';
import { countText, viewerZone } from '../format.ts';
import { resultsShortcut, toResults, useShortcuts } from '../keys/shortcuts.ts';
import { Button, Main, Notice, usePageTitle } from '../parts/controls.tsx';
import { toast } from '../parts/toast.tsx';
import { callAndReload, callOperation, controlAddress, download } from '../server/control.ts';
import { ErrorMessage, useAction } from '../workbench/action.tsx';
import { ControlGate } from '../workbench/gate.tsx';
import { isCommand } from './client.ts';
import { Comparison } from './comparison.tsx';
import { Details } from './details.tsx';
import { filterNames, parseFilter, withWorld, worldIn } from './filter.ts';
import { type Draft, draftIn, NewRequest } from './new-request.tsx';
import { isPageLoad } from './request.ts';
import { RequestRows } from './rows.tsx';
import { type TrafficRow, useRequests } from './use-requests.ts';
import './traffic.css';

/** The request that Tab reaches. */
const firstRequest = '.request[tabindex="0"]';

const presets = { All: '', Changes: 'method:POST,PUT,PATCH,DELETE', Errors: 'failed:yes' } as const;

/** The requests that the server received, with the details of one of them or the difference of two; and a form to send one, which needs no right on the log. */
export function TrafficPage({ address }: { address: URL }) {
  usePageTitle('Traffic');
  const [draft, setDraft] = useState<Draft>();
  const text = address.searchParams.get('new');
  const filter = address.searchParams.get('filter') ?? undefined;
  const form = text !== null && (
    <NewRequest
      key={text}
      draft={draft && requestText(draft) === text ? draft : draftIn(text)}
      onClose={() => navigate(trafficAddress({ filter }))}
    />
  );
  const replay = (request: Draft) => {
    setDraft(request);
    navigate(trafficAddress({ filter, new: requestText(request) }));
  };
  return (
    <Main class="full-view">
      <ControlGate title="Traffic" instead={form} offer={<Button label="New request" href={trafficAddress({ new: '' })} />}>
        {(canEdit) => <Traffic address={address} canEdit={canEdit} form={form} onReplay={replay} />}
      </ControlGate>
    </Main>
  );
}

const requestText = ({ method, path }: Draft) => `${method} ${path}`;

interface TrafficProperties {
  address: URL;
  canEdit: boolean;
  /** The form of a new request, if it is open. */
  form: ComponentChild;
  onReplay(request: Draft): void;
}

function Traffic({ address: { searchParams }, canEdit, form, onReplay }: TrafficProperties) {
  const filter = searchParams.get('filter') ?? '';
  const [isPaused, setPaused] = useState(false);
  const [preserve, setPreserve] = useState(false);
  const [hasPageLoads, setPageLoads] = useState(false);
  const [hasCommands, setCommands] = useState(true);
  const [isFollowing, setFollowing] = useState(false);
  const [selectedKey, setSelectedKey] = useState<string>();
  const [comparedKey, setComparedKey] = useState<string>();
  const [isComparing, setComparing] = useState(false);
  const { requests, worlds, failure, waiting, reports, clear } = useRequests({ isPaused, preserve, hasWorlds: canEdit });
  const choice = worldIn(filter);
  const world = choice === 'server' ? undefined : choice;
  const { test, problem } = useMemo(() => parseFilter(filter), [filter]);
  const visibleRequests = useMemo(
    () =>
      (requests ?? []).filter(
        (request) => (hasPageLoads || !isPageLoad(request)) && (hasCommands || !isCommand(request.client)) && test(request),
      ),
    [requests, hasPageLoads, hasCommands, test],
  );
  const text = searchParams.get('new');
  const setFilter = (filter: string, form = text ?? undefined) => navigate(trafficAddress({ filter, new: form }), { replace: true });
  const newest = visibleRequests[0]?.key;
  useEffect(() => {
    if (isFollowing && newest) setSelectedKey(newest);
  }, [isFollowing, newest]);
  const linked = searchParams.get('request');
  const linkedKey = requests?.find(({ id, isOld }) => !isOld && String(id) === linked)?.key;
  useEffect(() => {
    if (linkedKey) setSelectedKey(linkedKey);
  }, [linkedKey]);
  const find = (key: string | undefined) => requests?.find((each) => each.key === key);
  const [selected, compared] = [find(selectedKey), find(comparedKey)];
  const select = (key: string) => {
    if (isComparing && key !== selectedKey) setComparedKey(key);
    else {
      setSelectedKey(key);
      setComparedKey(undefined);
    }
    setComparing(false);
    setFollowing(false);
    if (form) navigate(trafficAddress({ filter }), { replace: true });
  };
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([
    { key: '/', label: 'Filter requests', run: () => search.current?.focus() },
    resultsShortcut('Go to the requests', firstRequest),
  ]);
  /** Clears the requests of the selected world, or of the server and all of its worlds. */
  const clearAll = () => {
    const others = choice === undefined && context.world === null ? worlds : [];
    Promise.all([world, ...others.map(({ id }) => id)].map((id) => callAndReload('clearRequests', undefined, id))).then(
      () => clear(choice),
      (error: Error) => toast(error.message),
    );
  };
  const toggles = [
    ['Follow', isFollowing, setFollowing],
    ['Preserve on reset', preserve, setPreserve],
    ['Page loads', hasPageLoads, setPageLoads],
    ['Command line', hasCommands, setCommands],
  ] as const;
  const isOpen = Boolean(form || selected);
  return (
    <>
      <h1 class="unseen">Traffic</h1>
      <div class="traffic-tools buttons scrolling-row screen-only">
        <fieldset class="views" aria-label="Common filters">
          {Object.entries(presets).map(([name, text]) => (
            <button key={name} type="button" class="views-item" aria-pressed={filter === text} onClick={() => setFilter(text)}>
              {name}
            </button>
          ))}
        </fieldset>
        <input
          ref={search}
          type="search"
          class="full-view-search traffic-filter"
          placeholder="status>=400 method:POST path:/events"
          aria-label="Filter requests"
          aria-describedby="traffic-problem"
          aria-invalid={problem ? true : undefined}
          title={`Names: ${filterNames.join(', ')}`}
          spellcheck={false}
          value={filter}
          onKeyDown={toResults(firstRequest)}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <Button label="New request" look="main" href={trafficAddress({ filter, new: '' })} />
        <Button
          label={isPaused ? `Resume${waiting ? ` (${countText(waiting)})` : ''}` : 'Pause'}
          aria-pressed={isPaused}
          onClick={() => setPaused(!isPaused)}
        />
        {canEdit && <Button label="Clear" disabled={!requests?.length} onClick={clearAll} />}
        {canEdit && (
          <Button
            label="Export HAR"
            disabled={!requests?.length || (worlds.length > 0 && !choice && context.world === null)}
            title={worlds.length > 0 ? 'The requests of one world' : undefined}
            onClick={() => download(`${controlAddress('requests')}?format=har`, 'requests.har', world)}
          />
        )}
        {canEdit && <WorldChoice worlds={worlds} filter={filter} onFilter={setFilter} />}
        {toggles.map(([label, value, set]) => (
          <label class="check traffic-check" key={label}>
            <input type="checkbox" checked={value} onChange={() => set(!value)} />
            {label}
          </label>
        ))}
      </div>
      <p class="hint" id="traffic-problem" role="status">
        {problem ?? (isComparing ? 'Select the request to compare with.' : `Times in ${viewerZone}.`)}
      </p>
      {canEdit && <HeldRequests key={world} world={world} requests={requests ?? []} reports={reports} />}
      {failure && <Notice title="Couldn’t load the requests">{failure.message}</Notice>}
      <div class={`traffic-split box${isOpen ? ' open' : ''}${visibleRequests.length ? '' : ' empty'}`}>
        <RequestRows requests={visibleRequests} selected={selectedKey} compared={comparedKey} isShort={isOpen} onSelect={select} />
        {form}
        {!form && selected && compared && <Comparison one={selected} other={compared} />}
        {!form && selected && !compared && (
          <Details key={selected.key} request={selected} canEdit={canEdit} onCompare={() => setComparing(true)} onReplay={onReplay} />
        )}
      </div>
      {requests && !visibleRequests.length && (
        <p class="traffic-empty">{requests.length ? 'No matching requests.' : 'No requests yet. Requests to the API appear here.'}</p>
      )}
    </>
  );
}

interface Properties {
  worlds: readonly WorldInfo[];
  filter: string;
  onFilter(filter: string): void;
}

/** Narrows the requests to the calendar of the server or one of its worlds. Absent without worlds. */
function WorldChoice({ worlds, filter, onFilter }: Properties) {
  // A world that a cookie selects has no address without it.
  if (!worlds.length || (context.world !== null && worldPrefixOf(location.pathname) === '')) return null;
  const select = (id: string) => {
    const narrowed = withWorld(filter, id);
    if (context.world === null) return onFilter(narrowed);
    // The page of a world shows only its own requests.
    const path = `${withoutWorld(worldPrefixOf(location.pathname))}/_calendar/traffic`;
    location.assign(`${path}${narrowed && `?${new URLSearchParams({ filter: narrowed })}`}`);
  };
  return (
    <select aria-label="World" value={context.world ?? worldIn(filter) ?? ''} onChange={({ currentTarget }) => select(currentTarget.value)}>
      <option value="">All worlds</option>
      <option value="server">Server</option>
      {worlds.map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? id}
        </option>
      ))}
    </select>
  );
}

interface HeldProperties {
  world?: string;
  /** The listed requests. */
  requests: readonly TrafficRow[];
  /** Number of arrivals and ends that are not listed yet. */
  reports: number;
}

/** The requests that faults of a world hold, with buttons to release them. */
function HeldRequests({ world, requests, reports }: HeldProperties) {
  const [faults, setFaults] = useState<readonly FaultInfo[]>([]);
  const { isBusy, failure, run } = useAction();
  const isIdle = reports === 0 && !requests.some(({ took, isOld }) => took === null && !isOld);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests arrive and end while others are held.
  useEffect(() => {
    if (isIdle) {
      setFaults([]);
      return;
    }
    const controller = new AbortController();
    callOperation('faults', undefined, controller.signal, world).then(
      ({ value }) => setFaults(value.faults),
      () => {},
    );
    return () => controller.abort();
  }, [world, isIdle, requests, reports]);
  const release = (id: number, status?: number) =>
    run(async () => {
      await callOperation('releaseFault', { id, ...(status && { response: { status } }) }, undefined, world);
      setFaults((before) => before.filter((fault) => fault.id !== id));
    });
  const holding = faults.filter((fault) => fault.held);
  if (!holding.length && !failure) return null;
  return (
    <section aria-label="Held requests">
      {holding.map(({ id, held: count = 0, match }) => (
        <p key={id} class="message" role="status">
          <span class="grow">
            {countText(count)} {count === 1 ? 'request is' : 'requests are'} held:{' '}
            {[match.method, match.path ?? 'any path'].flat().filter(Boolean).join(' ')}
          </span>
          <Button label="Release" look="small" disabled={isBusy} onClick={() => release(id)} />
          <Button label="Fail with 503" look="small" disabled={isBusy} onClick={() => release(id, 503)} />
        </p>
      ))}
      {failure && <ErrorMessage error={failure} />}
    </section>
  );
}
