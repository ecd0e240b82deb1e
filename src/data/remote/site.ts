import { namespaceOf, rootUrl } from '../../client/site.ts';
import type { Calendar, Entry, ResourceName } from '../../model/calendar.ts';
import { Failure, type Problem } from '../../model/error.ts';
import { defaultCurrency } from '../../model/fields/cost-format.ts';
import { siteCurrency } from '../../model/formats/site-currency.ts';
import { type PageBases, pageBases, siteSlugs } from '../../model/formats/site-slugs.ts';
import type { PullInput } from '../../model/operation-types.ts';
import { namespaced } from '../../model/routes.ts';
import { defaultSlugs } from '../../model/site-address.ts';
import type { LocalCalendar, Store } from '../../store/calendar.ts';
import { hostIn, SiteState, siteKey } from '../../store/identity/sites.ts';
import type { Database } from '../../store/sqlite/sql.ts';
import { homeOf } from './neutral.ts';

/** The settings of a site that anybody can read. */
interface SiteSettings {
  /** Its title, or its host. */
  name: string;
  /** Empty if unknown. */
  timezone: string;
}

/** The address and the permissions in the responses of a site. */
interface Greeting {
  /** The address that its routes start with, from its own links; undefined if it has no records. */
  root?: string;
  /** True if the user may write, and so may see unpublished records; undefined if the site does not tell. */
  mayWrite: boolean | undefined;
}

/** The user of the credentials, as far as a site tells. */
interface RemoteUser {
  /** False if the site doesn't tell: it may take a wrong password for a visitor. */
  isConfirmed: boolean;
  /** False if what the user sends is not published; undefined if unknown. */
  mayPublish?: boolean;
}

/** A calendar to pull from, push to or compare with. */
export interface Site {
  calendar: Calendar;
  /** Address that its routes start with. Requests and credentials go only there. */
  readonly root: string;
  /** The address that it was looked for at, if that is another one. */
  readonly typed?: string;
  /** The same calendar without credentials; absent if there are none. */
  visitors?: Calendar;
  about(): Promise<SiteSettings>;
  greet(): Promise<Greeting>;
  /** Throws if the site rejects the user. Absent without credentials. */
  user?(): Promise<RemoteUser>;
  /** The events that lists don't show, as far as the user may know them. */
  allEvents?(): Promise<{ id: number; title: string }[]>;
}

/** Opens a calendar at an address that routes start with. `onWait` is called before a request waits because the site limits them. */
export type ConnectTo = (
  root: string,
  authorization: string | undefined,
  headers?: Record<string, string>,
  onWait?: (status: number, untilMs: number) => void,
) => Promise<Site & { close(): Promise<void> }>;

/** The host and the folder in a key. */
const folderIn = (key: string): string => key.replace(/\/wp-json(\/.*)?$/s, '').replace(namespaced, '');

/** The row of a site in a file, as far as it has one, the address of its API, and its namespace if the file tells. */
interface RememberedSite {
  row?: ReturnType<typeof SiteState.all>[number];
  root: string;
  namespace?: string;
}

/**
 * The address of the API of a site: the one that the file has for it, on the typed host and never http in place of https. `namespace` is for a root without one, and only if the file doesn't know
 * that of the site.
 */
export function remembered(db: Database, { root, namespace }: Pick<PullInput, 'root' | 'namespace'>): RememberedSite {
  const roots = namespace === undefined ? [root] : [rootUrl(root, namespace), rootUrl(root)];
  const rows = SiteState.all(db);
  const keys = roots.map(siteKey).map((key) => SiteState.aliasOf(db, key) ?? key);
  const inFolder = namespace === undefined ? [] : rows.filter(({ site }) => folderIn(site) === folderIn(siteKey(root)));
  const row = rows.find(({ site }) => keys.includes(site)) ?? (inFolder.length === 1 ? inFolder[0] : undefined);
  const isSameHost = row?.address && hostIn(siteKey(row.address)) === hostIn(siteKey(root));
  if (!row || !isSameHost) {
    const own = namespace === undefined ? undefined : namespaced.exec(row?.site ?? '')?.[1];
    return { row, root: own === undefined ? roots[0]! : rootUrl(root, own), namespace: own };
  }
  const [from, to] = [new URL(root), new URL(row.address!)];
  to.hostname = from.hostname;
  if (from.protocol === 'https:') to.protocol = 'https:';
  return { row, root: to.href, namespace: namespaceOf(to.href) };
}

/** A site whose identity was checked. */
export interface KnownSite extends RemoteUser {
  state: SiteState;
  mayWrite: boolean | undefined;
}

export interface MeetOptions {
  /** True if the user confirmed what needs it. */
  yes?: boolean;
  /** True if a calendar at another path of a host is another one than that which the file has, false if it is the same. */
  separate?: boolean;
  /** True to only note that a site names another host than the typed one. */
  anyHost?: boolean;
  dryRun?: boolean;
  /** The time of the system, in epoch ms. The clock of the calendar may be set, but that of a site is not. */
  system?(): number;
}

/** The time of the system, in ISO 8601. */
export const timeOf = ({ system = Date.now }: MeetOptions): string => new Date(system()).toISOString();

/** True if the API of a site rejects its user. A page in place of a response is one of a firewall. */
export const isRejected = ({ status, data }: Failure): boolean => status === 401 || (status === 403 && !data.is_page);

/**
 * Asks a site for its user and its own address, by which pairs are stored. Throws `not-confirmed` if that names another host than the typed one, or another path than that of the pairs with
 * this host, until the user confirms it.
 */
export async function meet(store: Store, remote: Site, notes: Problem[], options: MeetOptions): Promise<KnownSite> {
  const user = (await remote.user?.()) ?? { isConfirmed: true };
  const { root, mayWrite } = await remote.greet();
  const typed = siteKey(remote.typed ?? remote.root);
  const alias = SiteState.aliasOf(store.db, typed);
  const key = root === undefined ? (alias ?? typed) : siteKey(root);
  const state = new SiteState(store.db, key);
  const unconfirmed = 'the site does not tell whether it accepts the user; it may take a wrong password for a visitor';
  if (!user.isConfirmed) notes.push(state.standing({ at: remote.root, reason: unconfirmed }));
  const isNewName = key !== typed && alias !== key;
  const moved = alias === key ? undefined : movedFrom(state, typed, options);
  if (isNewName && hostIn(key) !== hostIn(typed)) {
    const says = `${new URL(remote.root).host} says that it is ${hostIn(key)}`;
    if (!options.yes && !options.anyHost)
      throw new Failure('not-confirmed', `${says}. Are both the same site?`, 'Pass --yes if they are.', { host: true });
    notes.push({ at: remote.root, reason: `${says}. Both are treated as the same site` });
  }
  // A dry run compares with the pairs that would be moved.
  if (options.dryRun) return { ...user, state: moved ? new SiteState(store.db, moved) : state, mayWrite };
  if (isNewName || moved)
    await store.change(() => {
      if (moved) state.addAlias(moved);
      if (isNewName && moved !== typed) state.addAlias(typed, options.separate);
    });
  return { ...user, state, mayWrite };
}

/** The site of the file whose pairs are those of the calendar at another path, if the user says so; undefined if they stay. Throws `not-confirmed` until the user tells. */
function movedFrom(state: SiteState, typed: string, { yes, separate }: MeetOptions): string | undefined {
  const other = state.otherPath(typed);
  if (!other || separate) return undefined;
  if (!yes && separate === undefined && !other.isSpelling)
    throw new Failure(
      'not-confirmed',
      `The file has a copy of ${other.site}. Is ${state.site} the same calendar as ${other.site}?`,
      'Pass --yes if it is: its records are paired with those of the file. Use another file for another calendar.',
      { separate: true },
    );
  return other.site;
}

const turns = new WeakMap<Store, Promise<unknown>>();

/** Runs the pulls and pushes of a calendar one after the other, those in the background too. */
export function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(store) ?? Promise.resolve()).then(work);
  turns.set(
    store,
    turn.catch(() => {}),
  );
  return turn;
}

/** Sets the time zone and the title of a new calendar to those of the site that it copies, but keeps settings that the user chose. */
export function adoptSettings({ settings }: Pick<LocalCalendar, 'settings'>, { name, timezone }: SiteSettings): void {
  if (timezone) settings.adopt('timezone', timezone);
  if (name.trim()) settings.adopt('title', name);
}

/** Gives a new file the currency of the site, from a page of its events, unless the user has set one. */
export function adoptCurrency({ settings }: Pick<LocalCalendar, 'settings'>, events: readonly Entry[]): void {
  if (settings.get('currency') !== defaultCurrency.symbol || settings.get('currency_code') !== defaultCurrency.code) return;
  for (const [name, value] of Object.entries(siteCurrency(events))) settings.import(name, value);
}

/** Returns a function that gives a new file the words of addresses of its site, unless the user has set one. It must be called with the first page of each resource, before that is copied. */
export function slugFinder(
  { settings: { slugs } }: Store,
  site: string,
): (local: LocalCalendar, name: ResourceName, entries: readonly Entry[]) => void {
  const isDefault = Object.values(slugs).join() === Object.values(defaultSlugs).join();
  const folder = homeOf(site).replace(/^[^/]*/, '');
  const bases: PageBases = {};
  return ({ settings }, name, entries) => {
    Object.assign(bases, { ...pageBases(name, entries, folder), ...bases });
    if (isDefault) for (const [setting, value] of Object.entries(siteSlugs(bases))) settings.import(setting, value);
  };
}
