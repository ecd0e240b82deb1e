import type { ServedCalendar } from '../../data/serving/serve.ts';
import type { UpstreamMode } from '../../data/upstream/modes.ts';
import type { UpstreamOptions } from '../../data/upstream/options.ts';
import { isLoopback } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { remoteAt } from '../connect/sync.ts';
import { connectToSite } from '../connect/transport.ts';
import type { Session } from '../session.ts';
import type { LiveSiteOptions } from './options.ts';

/** Headers that identify a user. They are not sent with forwarded reads. */
const userHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-wp-nonce']);

/** Returns the site of `--upstream`, with the namespace of its API; undefined without one. Throws `bad-request` if the options contradict each other. */
export async function upstreamOf(
  session: Session,
  options: LiveSiteOptions & { host: string },
): Promise<(UpstreamOptions & { namespace?: string }) | undefined> {
  const { upstream, upstreamMode: mode = 'live', upstreamTimeout = '5s', upstreamMaxAge = '5m', upstreamWrites: writes } = options;
  if (upstream === undefined) {
    const { user, header } = session.globals;
    if (user !== undefined || header !== undefined)
      throw new Failure(
        'bad-request',
        `--${user === undefined ? 'header' : 'user'} requires --upstream`,
        'Users of the served calendar are in --users FILE.',
      );
    if (writes === 'through') throw new Failure('bad-request', '--upstream-writes through requires --upstream');
    for (const name of ['Mode', 'Timeout', 'MaxAge'] as const)
      if (options[`upstream${name}`] !== undefined && !(name === 'Mode' && mode === 'offline'))
        throw new Failure('bad-request', `--upstream-${name === 'MaxAge' ? 'max-age' : name.toLowerCase()} requires --upstream`);
    return undefined;
  }
  if (writes === 'local' && mode === 'live')
    throw new Failure(
      'bad-request',
      "--upstream-writes local can't be used with --upstream-mode live",
      'Add --upstream-mode prefer-local or offline: live responses would not show the changes.',
    );
  const { root, headers = {}, authorization } = await remoteAt(session, upstream);
  const anonymous = Object.fromEntries(Object.entries(headers).filter(([name]) => !userHeaders.has(name)));
  const isUser = authorization !== undefined || Object.keys(headers).length > Object.keys(anonymous).length;
  if (writes === 'through') checkThrough(isUser, mode, options.host);
  const timeoutMs = millisecondsIn(upstreamTimeout, '--upstream-timeout', 'timeout');
  const { globals, terminal } = session;
  const connector = (connection: { authorization?: string; headers: Record<string, string> }) => {
    let site: ReturnType<typeof connectToSite> | undefined;
    return () => {
      site ??= connectToSite(root, { ...connection, timeoutMs }, globals, terminal);
      return site;
    };
  };
  return {
    root,
    mode,
    maxAgeMs: millisecondsIn(upstreamMaxAge, '--upstream-max-age', 'ttl'),
    pulls: options.upstreamPull !== false,
    namespace: /[^/]+\/events\/v\d+$/.exec(root)?.[0],
    connect: connector({ headers: anonymous }),
    ...(isUser ? { connectAsUser: connector({ authorization, headers }) } : {}),
  };
}

/** Throws `bad-request` if writes can't be forwarded. */
function checkThrough(isUser: boolean, mode: UpstreamMode, host: string): void {
  const reject = (message: string, hint: string) => {
    throw new Failure('bad-request', message, hint);
  };
  if (!isUser) reject('--upstream-writes through requires a user of the site', 'Pass --user NAME and CALENDAR_PASSWORD, or a profile.');
  if (mode === 'offline') reject("--upstream-writes through can't be used with --upstream-mode offline", 'Use live or prefer-local.');
  if (!isLoopback(host))
    reject(`--upstream-writes through can't be used with --host ${host}`, 'Omit --host: writes are forwarded from this machine only.');
}

/** Returns what a server prints about the site that its calendar is a copy of. */
export async function upstreamLines(
  { store }: ServedCalendar,
  upstream: UpstreamOptions | undefined,
  { upstreamWrites: writes = 'refuse', upstreamMaxAge = '5m', upstreamTimeout = '5s' }: LiveSiteOptions,
  isFixed: boolean,
): Promise<string[]> {
  const { UpstreamState } = await import('../../store/identity/upstream-state.ts');
  const { site } = new UpstreamState(store.db);
  if (!site) return [];
  const handling = {
    refuse: 'Writes are refused.',
    local: 'Writes change only the copy.',
    through: 'Writes with the control token are forwarded with your credentials.',
  };
  const refused = handling[writes];
  if (!upstream || upstream.mode === 'offline' || isFixed)
    return [
      `Copy of ${site.root}, offline: nothing is requested${upstream && isFixed ? ', because the clock is stopped' : ''}. ${refused}`,
    ];
  const reads =
    upstream.mode === 'live'
      ? `Forwarding reads to ${site.root} without credentials. The copy answers if the site doesn't within ${upstreamTimeout}`
      : `Answering from the copy of ${site.root} where it is complete and not older than ${upstreamMaxAge}. Other reads are forwarded without credentials`;
  return [
    `${reads}. ${refused}`,
    ...(upstream.pulls
      ? [`Completing the copy in the background${upstream.connectAsUser ? ' with your credentials' : ''}, with one request at a time.`]
      : []),
  ];
}
