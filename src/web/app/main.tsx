import './styles/main.css';
import './server/page-token.ts';
import { type ComponentType, render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { currentAddress, handleLinks, navigate, trafficAddress, useAddress } from './address.ts';
import { CalendarPage } from './calendar/page.tsx';
import { context } from './context.ts';
import { DataPage } from './data/page.tsx';
import { kinds } from './forms/address.ts';
import { NewRecord } from './forms/form.tsx';
import { GlobalDialogs } from './keys/dialogs.tsx';
import { OwnCopyFoot } from './own-copy.tsx';
import { Button, focusMain, Main, Notice, usePageTitle } from './parts/controls.tsx';
import { PageToasts } from './parts/toast.tsx';
import { parseRecordAddress } from './record.ts';
import { RecordPage } from './records/page.tsx';
import { User } from './records/user.tsx';
import { useConnectionLost } from './server/changes.ts';
import { useUserName } from './server/session.ts';
import { startStatus } from './server/status.ts';
import { startStream } from './server/stream.ts';
import { stayInWorld } from './server/world.ts';
import { StatusSpot } from './status-spot.tsx';
import { TrafficPage } from './traffic/page.tsx';
import { WorkbenchPage } from './workbench/page.tsx';
import './top.css';

/** The tools below `/_calendar/`, with their names in the navigation. */
const tools: Record<string, [name: string, view: ComponentType<{ address: URL }>]> = {
  data: ['Data', DataPage],
  traffic: ['Traffic', TrafficPage],
  ...(context.control && { '': ['Workbench', WorkbenchPage] }),
};

/** The path of the document that was loaded, without prefixes. */
const loadedPath = new URL(currentAddress(), location.href).pathname;

/** The path of a tool below `/_calendar/`; undefined for other addresses. */
const toolOf = ({ pathname }: URL): string | undefined => /^\/_calendar(?:\/|$)(\w*)\/?$/.exec(pathname)?.[1];

/** Renders the view for an address. */
function View({ address }: { address: URL }) {
  // Only the server knows the addresses of occurrences and of the pages of copied records.
  const loaded = address.pathname === loadedPath && context.record;
  const record = parseRecordAddress(address, context.slugs) ?? (loaded ? { kind: loaded.kind, path: String(loaded.id) } : undefined);
  if (record) return <RecordPage key={record.path} recordAddress={record} address={address} />;
  const tool = toolOf(address);
  if (tool !== undefined) {
    if (tool === 'api') return <Redirect to={trafficAddress({ new: address.searchParams.get('request') ?? '' })} />;
    // Without the right to control the calendar, the Workbench says so.
    const Tool = tool === '' ? WorkbenchPage : tools[tool]?.[1];
    return Tool ? <Tool address={address} /> : <NotFound />;
  }
  if (address.pathname !== '/') {
    if (address.pathname !== loadedPath) return <Reload />;
    return context.view === null ? <NotFound /> : <Redirect to={context.view} />;
  }
  const newKind = address.searchParams.get('new');
  if (newKind && newKind in kinds) return <NewRecord key={address.search} kind={newKind} parameters={address.searchParams} />;
  return <CalendarPage address={address} />;
}

/** An address that nothing is at. */
function NotFound() {
  usePageTitle('Not found');
  return (
    <Main class="record">
      <h1 class="unseen">Not found</h1>
      <Notice title="Nothing is at this address">
        <Button label="Go to calendar" look="main" href="/" />
      </Notice>
    </Main>
  );
}

/** Replaces the current address with another one. */
function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

/** Loads an address that only the server knows. */
function Reload() {
  useEffect(() => location.reload(), []);
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
      <a class="top-skip screen-only" href={isCalendar(address) ? '#view' : '#main'}>
        Skip to content
      </a>
      <header class="top screen-only">
        <a class="top-brand" href="/">
          <svg class="top-logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect x="3" y="5" width="26" height="24" rx="6" />
            <path d="M3 12h26M10 2v6M22 2v6" />
            <rect class="top-logo-day" x="17" y="17" width="7" height="7" rx="2" />
          </svg>
          <bdi class="cut top-title">{context.title}</bdi>
        </a>
        <StatusSpot />
        <nav class="top-tools" aria-label="Tools">
          <a class="top-tool" href="/" aria-current={isCalendar(address) ? 'page' : undefined}>
            Calendar
          </a>
          {Object.entries(tools).map(([path, [name]]) => (
            <a class="top-tool" key={path} href={`/_calendar/${path}`} aria-current={path === toolOf(address) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        {context.users && <User />}
      </header>
      <View key={user} address={address} />
      <OwnCopyFoot />
      <GlobalDialogs />
      <PageToasts />
      <ConnectionBar />
    </>
  );
}

const isCalendar = ({ pathname, searchParams }: URL): boolean => pathname === '/' && !searchParams.has('new') && !searchParams.has('p');

const ConnectionBar = () => (
  <div class="top-connection" role="status">
    {useConnectionLost() && <p>Not connected. Retrying…</p>}
  </div>
);

stayInWorld();
handleLinks();
startStatus();
startStream();
render(<App />, document.getElementById('app')!);
