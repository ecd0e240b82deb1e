import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Calendar, resourceNames } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import type { Health, SiteStatus } from '../../model/operation-types.ts';
import { everyRecordQuery, resources } from '../../model/resources/all.ts';
import type { Connection } from '../connect/connect.ts';
import { type Target, targetOf } from '../connect/target.ts';
import { failureOf } from '../failure-message.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { variable } from '../terminal/terminal.ts';

interface Status {
  /** File or address. */
  calendar: string;
  /** The option, variable, profile or folder that selected it. */
  chosen_by: string;
  /** Username; null for the owner of a file, and for a visitor of a server. */
  user: string | null;
  /** Address of the server; null for a file without a server. */
  served_at: string | null;
  /** Process on this machine that has the file open. */
  process: number | null;
  title: string;
  timezone: string;
  /** Number of records by resource. */
  records: Record<string, number>;
  /** Calendars that it was copied from or to. */
  sites: SiteStatus[];
  /** The copy of a site that the server pulls from; absent for others. */
  copy?: Health['copy'];
}

/** `calendar status`: shows which calendar commands use, and why. Exits as a command would that cannot open it. */
export function build(command: Command, runner: Runner): void {
  command.option('--json', 'Output JSON').action(runner.action((session, _args, options) => status(session, Boolean(options.json))));
}

async function status(session: Session, json: boolean): Promise<number> {
  const target = await targetOf(session.globals, session.terminal);
  const selection = {
    calendar: target.kind === 'file' ? target.file : target.url,
    chosen_by: target.source,
    user: session.globals.user ?? target.user ?? variable(session.terminal, 'CALENDAR_USER') ?? null,
  };
  try {
    const status = await statusOf(session, target, selection);
    const program = session.globals.verbose ? await (await import('../program-facts.ts')).programFacts() : undefined;
    const facts = Object.entries(program ?? {}).map(([name, value]): string[] => [name.replace('_', ' '), String(value)]);
    await session.print(json ? `${JSON.stringify({ ...status, program }, null, 2)}\n` : shown(status, target, facts));
    return exitCodes.ok;
  } catch (error) {
    // Print what was selected even if the calendar can't be opened.
    const { code, message } = failureOf(error);
    await session.print(
      json ? `${JSON.stringify({ ...selection, problem: { code, message } }, null, 2)}\n` : alignColumns(rowsOf(selection, target)),
    );
    throw error;
  }
}

async function statusOf(session: Session, target: Target, selection: Pick<Status, 'calendar' | 'chosen_by' | 'user'>): Promise<Status> {
  const connection = await session.connect('read');
  const { calendar, control, pid = await holderOf(target) } = connection;
  // The API may have to be found first.
  const records = await counts(calendar);
  const { name, timezone } = await connection.about();
  return {
    ...selection,
    served_at: connection.root ?? null,
    process: pid ?? null,
    title: name,
    timezone,
    records,
    sites: target.kind === 'file' ? (await control('sites', {})).sites : [],
    ...(await copyOf(control)),
  };
}

/** The copy of a site that a server pulls from, as far as its caller may know. Servers of other programs have none. */
async function copyOf(control: Connection['control']): Promise<Pick<Status, 'copy'>> {
  const { copy } = await control('health', {}).catch((error): Partial<Health> => {
    if (error instanceof Failure) return {};
    throw error;
  });
  return copy ? { copy } : {};
}

/** Maximum number of records that a site has and the file does not, in the text. */
const maxLeft = 10;

/** Tells whether the file is in step with a site, and names the records of the site that were not copied. */
function siteRows({ text, left }: SiteStatus): string[][] {
  const more = left.length - maxLeft;
  return [
    ['site', text],
    ...left.slice(0, maxLeft).map(({ at, reason }) => ['', `${at}: ${reason}`]),
    ...(more > 0 ? [['', `… and ${more} more; --json lists them`]] : []),
  ];
}

async function holderOf(target: Target): Promise<number | undefined> {
  if (target.kind !== 'file' || target.file === ':memory:') return undefined;
  const [{ ownerOf }, { readCard }] = await Promise.all([import('../../store/file/lock.ts'), import('../../store/file/owner-card.ts')]);
  const owner = await ownerOf(target.file);
  return owner && (owner.pid || readCard(target.file)?.pid);
}

/** Returns how many records each resource has, as lists without any other filter find them. */
async function counts(calendar: Calendar): Promise<Record<string, number>> {
  const counts = resourceNames.map(async (name) => {
    const { total } = await calendar[name].list({ ...everyRecordQuery(resources[name]), per_page: '1' });
    return [name, total] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

const rowsOf = ({ calendar, chosen_by, user }: Pick<Status, 'calendar' | 'chosen_by' | 'user'>, { kind }: Target): string[][] => [
  ['calendar', calendar],
  ['selected by', chosen_by],
  ['signed in as', user ?? (kind === 'file' ? 'owner' : 'visitor')],
];

/** Tells that a file and its log belong together, if there is a log that no server is about to join. */
function logRow(target: Target, server: string | null): string[][] {
  if (target.kind !== 'file' || server !== null || !existsSync(`${target.file}-log`)) return [];
  return [['log', `${target.file}-log has recent changes: keep both files together, or run calendar db checkpoint`]];
}

function shown(status: Status, target: Target, facts: readonly string[][]): string {
  const { served_at, process, title, timezone, records, sites, copy } = status;
  const server = served_at ?? 'not running';
  return alignColumns([
    ...rowsOf(status, target),
    [
      'server',
      process === null ? server : served_at === null ? `${server}; process ${process} has the file open` : `${server} (process ${process})`,
    ],
    ...logRow(target, served_at),
    ...(title ? [['title', title]] : []),
    ...(timezone ? [['time zone', timezone]] : []),
    ...Object.entries(records).map(([name, count]) => [name, Number.isNaN(count) ? 'unknown' : String(count)]),
    ...(copy ? [['copy', copy.text]] : []),
    ...sites.flatMap(siteRows),
    ...facts,
  ]);
}
