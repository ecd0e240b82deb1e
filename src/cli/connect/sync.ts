import { type Command, Option } from 'commander';
import type { ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { PullInput, PushInput, SiteStatus } from '../../model/operation-types.ts';
import type { ConflictSide } from '../../model/operations/sync.ts';
import { namespace as defaultNamespace, namespaceIn } from '../../model/routes.ts';
import type { Globals } from '../global-options.ts';
import { parseResources } from '../options.ts';
import type { SummaryOptions } from '../print/summary.ts';
import type { Session } from '../session.ts';
import { agreed, answerTo, confirm, isAttended } from '../terminal/prompt.ts';
import { variable } from '../terminal/terminal.ts';
import { credentialsOf, headersFor, targetOf } from './target.ts';

/** Adds the argument and the option that pull, push and diff share. */
export const addRemote = (command: Command): Command =>
  command
    .argument('[url]', 'Address of the site, with or without the namespace; with --profile, that of the profile')
    .option('--only <resources>', 'Comma-separated resources', parseResources);

/** Adds the options that pull and push share. */
export const addSyncOptions = (command: Command): Command =>
  addRemote(command)
    .addOption(new Option('--ours', 'Resolve conflicts with the values in the file').conflicts('theirs'))
    .option('--theirs', 'Resolve conflicts with the values of the site')
    .option('--dry-run', 'Show what would be copied, and conflicts')
    .option('-y, --yes', 'Skip confirmation prompts')
    .option('--json', 'Output JSON with every record');

/** Options of pull and push. */
export interface SyncOptions extends SummaryOptions {
  only?: ResourceName[];
  delete?: boolean;
  ours?: boolean;
  theirs?: boolean;
  yes?: boolean;
}

/** The confirmation of a user: for all that needs it, or for a push of what stays unpublished. */
type Confirmed = Pick<PushInput, 'yes' | 'separate' | 'unpublished'>;

/** Asks before records of a site are deleted that were deleted in the file; true without asking with `yes`, and in a dry run. */
export const mayDelete = ({ terminal }: Pick<Session, 'terminal'>, name: string, { yes, dryRun }: SyncOptions): Promise<boolean> =>
  agreed(terminal, `Delete the records at ${name} that were deleted in the file?`, yes || dryRun);

/** Runs work that may need a confirmation, and asks for it on a terminal. Throws `not-confirmed` otherwise; not for another host if the note about it is sufficient. */
export async function confirming<T>(
  { terminal }: Pick<Session, 'terminal'>,
  given: Confirmed,
  work: (confirmed: Confirmed) => Promise<T>,
  takesHost = false,
): Promise<T> {
  try {
    return await work(given);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-confirmed') throw error;
    if (takesHost && error.data.host && !isAttended(terminal)) return confirming({ terminal }, { ...given, yes: true }, work);
    if (!isAttended(terminal)) throw error;
    const answer = await answerTo(terminal, error.message, error.data.unpublished ? 'only what stays unpublished' : undefined);
    if (error.data.separate) return confirming({ terminal }, { ...given, separate: answer === 'no' }, work, takesHost);
    if (answer === 'no') throw error;
    return confirming({ terminal }, { ...given, ...(answer === 'yes' ? { yes: true } : { unpublished: true }) }, work, takesHost);
  }
}

export const preferred = ({ ours, theirs }: SyncOptions): ConflictSide | undefined => (ours ? 'ours' : theirs ? 'theirs' : undefined);

/** The session for the local file: ignores CALENDAR_URL, and credentials and a profile that are for the remote calendar. */
export async function onFile(session: Session): Promise<Session> {
  const { globals, terminal } = session;
  const isForSite = globals.profile !== undefined && globals.url === undefined && (await targetOf(globals, terminal)).kind === 'remote';
  const { profile } = isForSite ? { profile: undefined } : globals;
  return {
    ...session,
    globals: { ...globals, profile, user: undefined, passwordStdin: undefined, header: undefined },
    terminal: globals.url === undefined ? { ...terminal, env: { ...terminal.env, CALENDAR_URL: undefined } } : terminal,
  };
}

/** Prints whether the file is in step with the site that was pulled from or pushed to last. */
export async function tellInStep(session: Session, { dryRun, json }: SummaryOptions): Promise<void> {
  if (dryRun || json) return;
  const { operate } = await import('./operate.ts');
  const { sites } = await operate(await onFile(session), 'read', 'sites', {});
  const lastOf = ({ pulled, pushed, part }: SiteStatus) => [pulled ?? '', pushed ?? '', part?.at ?? ''].sort().at(-1)!;
  const last = sites.sort((a, b) => (lastOf(a) < lastOf(b) ? 1 : -1))[0];
  if (last) await session.tell(`calendar: ${last.text}`);
}

/**
 * The remote calendar of pull, push and diff, as {@link remoteAt} does, and its name in messages. Without `url`, it is that of the profile, or the one site that the file is a copy of. What
 * writes to a site needs an answer on the terminal then: an empty variable in a script must not select it.
 */
export async function siteOf(session: Session, url: string | undefined, { writes = false } = {}) {
  const { globals, terminal } = session;
  // These options concern the file.
  const forSite = { ...session, globals: { ...globals, db: undefined, calendarTimezone: undefined } };
  if (url !== undefined || globals.profile !== undefined) {
    const remote = await remoteAt(forSite, url);
    return { remote, name: url ?? remote.root };
  }
  const { address, file } = await copiedSite(session);
  if (writes && !isAttended(terminal))
    throw new Failure('bad-request', 'Missing URL', `The calendar is a copy of ${address}. Pass that address.`);
  if (writes && !(await confirm(terminal, `Push to ${address}?`))) throw new Failure('not-confirmed', `Nothing was sent to ${address}`);
  return {
    remote: await remoteAt(forSite, address, { file, isWhole: true, retry: `If you trust that address, pass it: ${address}` }),
    name: address,
  };
}

const missingUrl = () =>
  new Failure('bad-request', 'Missing URL', 'Pass the address of the site, or --profile NAME for a profile that has one.');

/** The one site that the selected calendar is a copy of, by its address there, and the name of the calendar. Throws `bad-request` if it has none or several. */
async function copiedSite(session: Session): Promise<{ address: string; file: string }> {
  const own = await onFile(session);
  if (own.globals.world ?? variable(own.terminal, 'CALENDAR_WORLD')) throw missingUrl();
  const { operate } = await import('./operate.ts');
  const { sites } = await operate(own, 'read', 'sites', {}).catch((error) => {
    throw error instanceof Failure && error.code === 'store-missing' ? missingUrl() : error;
  });
  const [first, second] = sites;
  if (!first) throw missingUrl();
  const names = sites.map(({ site, address }) => address ?? site).join(', ');
  if (second || first.address === null)
    throw new Failure('bad-request', 'Missing URL', `The calendar is a copy of ${names}. Pass the address once.`);
  const target = await targetOf(own.globals, own.terminal);
  return { address: first.address, file: target.kind === 'file' ? target.file : target.url };
}

/** A remote calendar: the address that its routes start with, or one of its site with the namespace to use if the file remembers no other, its Authorization header, and further headers. */
type RemoteAddress = Pick<PullInput, 'root' | 'namespace' | 'authorization' | 'headers'>;

/** The file that has an address, if no person typed it; `isWhole` if routes start with that address as it is. `retry` says how to type it. */
interface AddressFile {
  file: string;
  isWhole?: boolean;
  retry?: string;
}

/** The remote calendar at an address, or the selected one. Throws `bad-request` instead of sending secrets to an address that is from a file. */
export async function remoteAt({ globals, terminal }: Session, url: string | undefined, from?: AddressFile): Promise<RemoteAddress> {
  const selected = await targetOf(url === undefined ? globals : { ...globals, url, db: undefined }, terminal);
  const target = from === undefined ? selected : { ...selected, project: from.file, retry: from.retry };
  if (url === undefined && target.kind !== 'remote') throw missingUrl();
  if (target.kind !== 'remote') throw new Failure('bad-request', `${target.source} is not a server`);
  const credentials = await credentialsOf(target, globals, terminal);
  const [{ basic }, { rootUrl }] = await Promise.all([import('../../client/remote.ts'), import('../../client/site.ts')]);
  const headers = headersFor(target, globals, terminal);
  const isWhole = target.namespace !== undefined || namespaceIn(target.url) !== undefined;
  return {
    root: isWhole && !from?.isWhole ? rootUrl(target.url, target.namespace) : target.url,
    ...(isWhole || from?.isWhole ? {} : { namespace: target.usualNamespace ?? defaultNamespace }),
    ...(credentials ? { authorization: basic(credentials) } : {}),
    ...(Object.keys(headers).length ? { headers } : {}),
  };
}

/** The address that the routes of a remote calendar start with, if no file knows another one. */
export const rootOf = async ({ root, namespace }: RemoteAddress): Promise<string> =>
  namespace === undefined ? root : (await import('../../client/site.ts')).rootUrl(root, namespace);

/** True if an address is only a host, so that its API has to be found: with a path or a namespace, the address itself is checked. */
export function isBare({ namespace }: Globals, url: string | undefined): boolean {
  return namespace === undefined && url !== undefined && /^(\w+:\/\/)?[^/?#]*\/?$/.test(url);
}
