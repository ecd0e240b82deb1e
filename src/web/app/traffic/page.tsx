import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { navigate } from '../address.ts';
import { context } from '../context.ts';
import { Button } from '../controls.tsx';
import { countText } from '../format.ts';
import { resultsShortcut, toResults, useShortcuts } from '../keys/shortcuts.ts';
import { Main, usePageTitle } from '../landmark.tsx';
import { lazy } from '../lazy.tsx';
import { Notice } from '../notice.tsx';
import { callAndReload, controlAddress } from '../server/control.ts';
import { download } from '../server/download.ts';
import { toast } from '../toast.tsx';
import { ControlGate } from '../workbench/gate.tsx';
import { filterNames, parseFilter, worldIn } from './filter.ts';
import { HeldRequests } from './held.tsx';
import { isPageLoad } from './request.ts';
import { RequestRows } from './rows.tsx';
import { useRequests } from './use-requests.ts';
import { WorldChoice } from './world-choice.tsx';

const Details = lazy(async () => (await import('./details.tsx')).Details, null);
const Comparison = lazy(async () => (await import('./comparison.tsx')).Comparison, null);

/** The request that Tab reaches. */
const firstRequest = '.split .request[tabindex="0"]';

const presets = { All: '', Changes: 'method:POST,PUT,PATCH,DELETE', Errors: 'status>=400' } as const;

/** The requests that the server received, with the details of one of them or the difference of two. */
export function TrafficPage({ address }: { address: URL }) {
  usePageTitle('Traffic');
  return (
    <Main class="data traffic">
      <ControlGate title="Traffic">{(canEdit) => <Traffic address={address} canEdit={canEdit} />}</ControlGate>
    </Main>
  );
}

function Traffic({ address: { searchParams }, canEdit }: { address: URL; canEdit: boolean }) {
  const filter = searchParams.get('filter') ?? '';
  const [isPaused, setPaused] = useState(false);
  const [preserve, setPreserve] = useState(false);
  const [hasPageLoads, setPageLoads] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const [selectedKey, setSelectedKey] = useState<string>();
  const [comparedKey, setComparedKey] = useState<string>();
  const [isComparing, setComparing] = useState(false);
  const { requests, worlds, failure, waiting, reports, clear } = useRequests({ isPaused, preserve, hasWorlds: canEdit });
  const choice = worldIn(filter);
  const world = choice === 'server' ? undefined : choice;
  const { test, problem } = useMemo(() => parseFilter(filter), [filter]);
  const visibleRequests = useMemo(
    () => (requests ?? []).filter((request) => (hasPageLoads || !isPageLoad(request)) && test(request)),
    [requests, hasPageLoads, test],
  );
  const setFilter = (text: string) =>
    navigate(`/_calendar/traffic${text ? `?${new URLSearchParams({ filter: text })}` : ''}`, { replace: true });
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
  ] as const;
  return (
    <>
      <h1 class="unseen">Traffic</h1>
      <div class="table-tools">
        <fieldset class="views" aria-label="Common filters">
          {Object.entries(presets).map(([name, text]) => (
            <button key={name} type="button" aria-pressed={filter === text} onClick={() => setFilter(text)}>
              {name}
            </button>
          ))}
        </fieldset>
        <input
          ref={search}
          type="search"
          class="table-search traffic-filter"
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
          <label class="check" key={label}>
            <input type="checkbox" checked={value} onChange={() => set(!value)} />
            {label}
          </label>
        ))}
      </div>
      <p class="hint" id="traffic-problem" role="status">
        {problem ?? (isComparing ? 'Select the request to compare with.' : '')}
      </p>
      {canEdit && <HeldRequests key={world} world={world} requests={requests ?? []} reports={reports} />}
      {failure && <Notice title="Couldn’t load the requests">{failure.message}</Notice>}
      <div class={`split${selected ? ' open' : ''}`}>
        <RequestRows requests={visibleRequests} selected={selectedKey} compared={comparedKey} onSelect={select} />
        {selected && compared && <Comparison one={selected} other={compared} />}
        {selected && !compared && <Details key={selected.key} request={selected} canEdit={canEdit} onCompare={() => setComparing(true)} />}
      </div>
      {requests && !visibleRequests.length && (
        <p class="quiet empty">{requests.length ? 'No matching requests.' : 'No requests yet. Requests to the API appear here.'}</p>
      )}
    </>
  );
}
