import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveOf, keepRequests } from '../../data/artifacts.ts';
import { belowText, coverageReport } from '../../data/coverage.ts';
import type { WorldLog, Worlds } from '../../data/serving/worlds.ts';
import { temporaryFolder } from '../../data/temporary.ts';
import { hintLines, hintTitle } from '../../model/mistakes/hints.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import { reportedText, reportLines } from '../../model/operations/test-report.ts';
import { journaled } from '../../server/journal/journaled.ts';

export { isCi } from '../../data/coverage.ts';

/** Maximum number of worlds whose rejected requests are kept. */
const maxWorlds = 1000;
/** Maximum number of lines about requests of worlds. */
const maxLines = 100;
/** Maximum number of archives of worlds. */
const maxArchives = 100;

/** Collects what explains the failure of a command in the worlds that it has created, also in those that it has deleted. */
export class ExecReport {
  /** Lines about rejected requests by ID of their world, in the order in which the worlds ended. */
  readonly #rejected = new Map<string, string[]>();
  /** IDs of the worlds that have an archive in the temporary folder, in the same order. */
  readonly #archives = new Set<string>();
  #leftOut = 0;
  #folder: ReturnType<typeof temporaryFolder> | undefined;
  /** The last file that is written or removed. */
  #written: Promise<unknown> = Promise.resolve();

  /** `artifacts` is the folder for archives; undefined for none. */
  constructor(
    private readonly worlds: Worlds,
    private readonly artifacts: string | undefined,
  ) {
    worlds.onDelete = (log) => this.#add(log);
  }

  #add({ id, name, journal }: WorldLog): void {
    const reported = journal.reported();
    const place = name === null ? `the world ${id}` : `"${name}"`;
    const lines = reported.map((each) => `${reportedText(each)} in ${place}`);
    if (lines.length) this.#rejected.set(id, lines);
    if (this.#rejected.size > maxWorlds) this.#rejected.delete([...this.#rejected.keys()][0]!);
    if (this.artifacts === undefined || (!reported.length && !journal.allHints().length)) return;
    // Deleting the world empties its log.
    this.#archive(id, archiveOf(journal.exchanges().map((each) => journaled(each, journal.server))));
  }

  /** Writes an archive to the temporary folder. Its error is reported with that of the artifacts. */
  #archive(id: string, text: string): void {
    this.#folder ??= temporaryFolder('exec');
    const folder = this.#folder;
    const [oldest] = this.#archives.size < maxArchives ? [] : this.#archives;
    if (oldest !== undefined) this.#leftOut += 1;
    if (oldest !== undefined) this.#archives.delete(oldest);
    this.#archives.add(id);
    const before = this.#written;
    this.#written = folder.then(async ({ path }) => {
      await before;
      await writeFile(join(path, fileOf(id)), text);
      if (oldest !== undefined) await rm(join(path, fileOf(oldest)));
    });
    this.#written.catch(() => {});
  }

  /** Returns what explains the failure of a command, and the mistakes of clients in all worlds and what they met, also after a success. Keeps the requests of a command that has failed. */
  async text(
    control: CalendarControl,
    hasFailed: boolean,
    covers: { lists: boolean | undefined; minimum: number | undefined } | undefined,
  ): Promise<{ text: string; below: string | undefined }> {
    const met = covers && (await coverageReport(control, covers.lists ? undefined : 'exec --coverage', this.artifacts));
    const texts = [hasFailed ? await this.#failureText(control) : '', await mistakesText(control), met?.text ?? ''];
    return { text: texts.filter((text) => text !== '').join('\n'), below: met && belowText(met.report, covers?.minimum) };
  }

  async #failureText(control: CalendarControl): Promise<string> {
    for (const log of this.worlds.logs()) this.#add(log);
    const [{ faults, refused }, { requests }] = await Promise.all([control.endTest({}), control.requests({})]);
    const ofWorlds = [...this.#rejected.values()].flat();
    const lines = [
      ...reportLines({ faults, requests, refused }),
      ...(ofWorlds.length > maxLines ? [`(${ofWorlds.length - maxLines} rejected requests of worlds before these)`] : []),
      ...ofWorlds.slice(-maxLines),
    ];
    if (this.artifacts !== undefined)
      lines.push(await keepRequests(this.artifacts, 'calendar.har', requests, (folder) => this.#keepArchives(folder)));
    return lines.length ? ['calendar: The command failed. The calendar at its end:', ...lines.map((line) => `  ${line}`)].join('\n') : '';
  }

  /** Copies the archives of worlds to a folder. Returns the number of them, and of those that were left out. */
  async #keepArchives(folder: string): Promise<string> {
    await this.#written;
    if (!this.#folder) return '';
    const { path } = await this.#folder;
    for (const id of this.#archives) await copyFile(join(path, fileOf(id)), join(folder, fileOf(id)));
    const count = this.#archives.size;
    const others = this.#leftOut === 0 ? '' : ` (${this.#leftOut} before them are left out)`;
    return `, and those of ${count === 1 ? 'one world' : `${count} worlds`} with rejected requests or hints beside it${others}`;
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    this.worlds.onDelete = undefined;
    await this.#written.catch(() => {});
    await this.#folder?.then((folder) => folder.remove()).catch(() => {});
  }
}

const fileOf = (id: string): string => `${id}.har`;

async function mistakesText(control: CalendarControl): Promise<string> {
  const { hints } = await control.hints({ all: true });
  return hints.length ? [hintTitle, ...hintLines(hints).map((line) => `  ${line}`)].join('\n') : '';
}
