import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { currentAddress, handleLinks, navigate, useAddress } from './address.ts';
import { CalendarPage } from './calendar/page.tsx';
import { syncClock } from './clock.ts';
import { context } from './context.ts';
import { kinds } from './forms/address.ts';
import { GlobalDialogs } from './keys/dialogs.tsx';
import { focusMain } from './landmark.tsx';
import { lazy, preloadParts } from './lazy.tsx';
import { parseRecordAddress, viewOfList } from './records/address.ts';
import { CopyLabel } from './records/copy-label.tsx';
import { User } from './records/user.tsx';
import { useConnectionLost } from './server/connection.ts';
import { useUserName } from './server/session.ts';
import { startStream } from './server/stream.ts';
import { stayInWorld } from './server/world.ts';
import { Toasts } from './toast.tsx';

const DataPage = lazy(async () => (await import('./data/page.tsx')).DataPage);
const ExplorerPage = lazy(async () => (await import('./explorer/page.tsx')).ExplorerPage);
const NewRecord = lazy(async () => (await import('./forms/new.tsx')).NewRecord);
const RecordPage = lazy(async () => (await import('./records/page.tsx')).RecordPage);
const TrafficPage = lazy(async () => (await import('./traffic/page.tsx')).TrafficPage);
const WorkbenchPage = lazy(async () => (await import('./workbench/page.tsx')).WorkbenchPage);

/** The tools below `/_calendar/`, with their names in the navigation. */
const tools: Record<string, [name: string, view: ComponentType<{ address: URL }>, needsControl?: true]> = {
  data: ['Data', DataPage],
  traffic: ['Traffic', TrafficPage, true],
  '': ['Workbench', WorkbenchPage, true],
  api: ['API', ExplorerPage],
};

/** Returns the path of a tool below `/_calendar/`; undefined for other addresses. */
const toolOf = ({ pathname }: URL): string | undefined => /^\/_calendar(?:\/|$)(\w*)\/?$/.exec(pathname)?.[1];

/** Renders the view for an address. */
function View({ address }: { address: URL }) {
  const record = parseRecordAddress(address);
  if (record) return <RecordPage key={record.path} recordAddress={record} address={address} />;
  const Tool = tools[toolOf(address)!]?.[1];
  if (Tool) return <Tool address={address} />;
  const list = viewOfList(address);
  if (list) return <Redirect to={list} />;
  const newKind = address.searchParams.get('new');
  if (newKind && newKind in kinds) return <NewRecord key={address.search} kind={newKind} parameters={address.searchParams} />;
  return <CalendarPage address={address} />;
}

/** Replaces the current address with another one. */
function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

function App() {
  const address = useAddress();
  const user = useUserName();
  const previous = useRef(address.href);
  useEffect(() => {
    if (previous.current !== address.href) focusMain();
    previous.current = address.href;
  }, [address.href]);
  return (
    <>
      <a class="skip" href={isCalendar(address) ? '#view' : '#main'}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="/">
          <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect x="3" y="5" width="26" height="24" rx="6" />
            <path d="M3 12h26M10 2v6M22 2v6" />
            <rect class="day" x="17" y="17" width="7" height="7" rx="2" />
          </svg>
          <bdi>{context.title}</bdi>
        </a>
        <nav class="tools" aria-label="Tools">
          {Object.entries(tools).map(
            ([path, [name, , needsControl]]) =>
              (needsControl && !context.control) || (
                <a key={path} href={`/_calendar/${path}`} aria-current={path === toolOf(address) ? 'page' : undefined}>
                  {name}
                </a>
              ),
          )}
        </nav>
        <CopyLabel />
        {context.users && <User />}
      </header>
      <View key={user} address={address} />
      <GlobalDialogs />
      <Toasts />
      <ConnectionBar />
    </>
  );
}

/** Returns whether an address shows the calendar. */
const isCalendar = ({ pathname, searchParams }: URL): boolean => pathname === '/' && !searchParams.has('new') && !searchParams.has('p');

const ConnectionBar = () => (
  <div class="connection" role="status">
    {useConnectionLost() && <p>Not connected. Retrying…</p>}
  </div>
);

stayInWorld();
handleLinks();
syncClock();
startStream();
render(<App />, document.getElementById('app')!);
if ('requestIdleCallback' in window && isCalendar(new URL(currentAddress(), location.href)))
  addEventListener('load', () => requestIdleCallback(() => void preloadParts()));
