import { sharedServerAt } from '../data/shared-servers.ts';
import { combinedHints, hintKey, hintLines, hintTitle } from '../model/mistakes/hints.ts';
import type { Hint } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';

/** Collects the mistakes of clients in the tests of one file, to print each once after the last one. */
export class HintReport {
  #hints: Hint[] = [];
  /** Names of the tests in which they were ofTest first. */
  readonly #tests = new Map<string, string>();

  /** Notes the mistakes since the last reset of a calendar in this process: those of one test. */
  async endTest({ hints }: Pick<CalendarControl, 'hints'>, name: string | undefined): Promise<void> {
    // A log that lost requests does not know them.
    const ofTest = await hints({}).catch(() => ({ hints: [] }));
    for (const hint of ofTest.hints) if (name !== undefined && !this.#tests.has(hintKey(hint))) this.#tests.set(hintKey(hint), name);
  }

  /** Notes all mistakes of a calendar that is about to be closed. */
  async endCalendar({ hints }: Pick<CalendarControl, 'hints'>): Promise<void> {
    const all = await hints({ all: true }).catch(() => ({ hints: [] }));
    this.#hints = combinedHints([...this.#hints, ...all.hints]);
  }

  /** The report; empty without a mistake. */
  text(): string {
    if (!this.#hints.length) return '';
    const lines = this.#hints.flatMap((hint) => hintLines([hint], ({ world }) => this.#tests.get(hintKey(hint)) ?? world));
    return [hintTitle, ...lines.map((line) => `  ${line}`)].join('\n');
  }
}

/**
 * True if the mistakes of clients of a server are reported at the end of a run: by `calendar exec`, or by what started the server that files share. `hasEnd` is false for a runner that
 * does not stop that server.
 */
export function isReportedLater(url: string, hasEnd = true): boolean {
  const ofExec = process.env.CALENDAR_URL;
  if (ofExec !== undefined && URL.canParse(ofExec) && new URL(ofExec).origin === new URL(url).origin) return true;
  return hasEnd && sharedServerAt(url) !== undefined;
}

/** Prints the mistakes of clients of a server that files share, and of its worlds. */
export async function reportAll({ hints }: Pick<CalendarControl, 'hints'>, print: (text: string) => void): Promise<void> {
  const report = new HintReport();
  await report.endCalendar({ hints });
  const text = report.text();
  if (text) print(text);
}
