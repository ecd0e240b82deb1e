import project from '../../../package.json' with { type: 'json' };
import type { CheckReport, CheckResult } from '../../data/check/run.ts';
import { exitCodes } from '../../model/error.ts';
import type { Session } from '../session.ts';

export const reportFormats = ['pretty', 'tap', 'junit', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Prints a report; in the format `pretty` only its last line. Returns the exit code. */
export async function printReport(session: Session, report: CheckReport, url: string, format: ReportFormat): Promise<number> {
  const { ok, wrong, skipped } = resultCounts(report);
  if (format === 'pretty') await session.print(`\n${url}: ${ok} passed, ${wrong} failed, ${skipped} skipped\n`);
  else await session.print(reportText[format](report, url));
  for (const path of report.left) await session.tell(`calendar: Could not delete ${path}`);
  if (report.failure) throw report.failure;
  if (session.terminal.interrupted.aborted) return session.terminal.interrupted.reason === 'SIGTERM' ? 143 : 130;
  return wrong || report.left.length ? exitCodes.partial : exitCodes.ok;
}

/** Counts the results of checks. */
const resultCounts = ({ results }: CheckReport) => ({
  ok: results.filter(({ outcome }) => outcome === 'ok').length,
  wrong: results.filter(({ outcome }) => outcome === 'wrong').length,
  skipped: results.filter(({ outcome }) => outcome === 'skipped').length,
});

/** Removes line breaks and characters that are invalid in XML. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\0-\x1f\x7f-\x9f\s]+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
const marks = { ok: 'ok  ', wrong: 'FAIL', skipped: 'skip' } as const;

/** The line of a check in the format `pretty`, and two more if it failed. */
export function prettyLine({ name, about, specification, outcome, reason }: CheckResult): string {
  const line = `${marks[outcome]} ${name}: ${about}\n`;
  if (outcome === 'skipped') return `${marks[outcome]} ${name}: ${oneLine(reason ?? '')}\n`;
  return outcome === 'ok' ? line : `${line}       ${oneLine(reason ?? '')}\n       specification: ${specification}\n`;
}

const yaml = (text: string) => JSON.stringify(oneLine(text));

function tap({ results }: CheckReport): string {
  const lines = results.map(({ name, specification, outcome, reason = '', took }, at) => {
    const head = `${outcome === 'wrong' ? 'not ok' : 'ok'} ${at + 1} - ${name}`;
    if (outcome === 'skipped') return `${head} # SKIP ${oneLine(reason)}`;
    if (outcome === 'ok') return head;
    return `${head}\n  ---\n  message: ${yaml(reason)}\n  specification: ${yaml(specification)}\n  duration_ms: ${took}\n  ...`;
  });
  return `TAP version 14\n1..${results.length}\n${lines.join('\n')}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string) => oneLine(text).replace(/[&<>"]/g, (mark) => entities[mark]!);

function junit(report: CheckReport, url: string): string {
  const { results } = report;
  const { wrong, skipped } = resultCounts(report);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const cases = results.map(({ name, specification, outcome, reason = '', took }) => {
    const open = `    <testcase classname="${xml(name.split('.')[0]!)}" name="${xml(name)}" time="${seconds(took)}"`;
    if (outcome === 'ok') return `${open}/>`;
    const inside =
      outcome === 'skipped' ? `<skipped message="${xml(reason)}"/>` : `<failure message="${xml(reason)}">${xml(specification)}</failure>`;
    return `${open}>${inside}</testcase>`;
  });
  const total = seconds(results.reduce((sum, { took }) => sum + took, 0));
  const counts = `tests="${results.length}" failures="${wrong}" skipped="${skipped}" errors="0" time="${total}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="${xml(`${project.name} check ${url}`)}" ${counts}>\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

const json = (report: CheckReport, url: string): string =>
  `${JSON.stringify(
    {
      url,
      ...resultCounts(report),
      left: report.left,
      checks: report.results.map(({ name, about, specification, outcome, reason, took }) => ({
        name,
        outcome,
        ...(reason === undefined ? {} : { reason }),
        about,
        specification,
        took,
      })),
    },
    null,
    2,
  )}\n`;

/** Formats a report; `pretty` is written line by line instead. */
const reportText: Record<Exclude<ReportFormat, 'pretty'>, (report: CheckReport, url: string) => string> = { tap, junit, json };
