import project from '../../../package.json' with { type: 'json' };
import type { CheckReport, CheckResult } from '../../data/check/run.ts';

export const checkFormats = ['pretty', 'tap', 'junit', 'json'] as const;
export type CheckFormat = (typeof checkFormats)[number];

/** Counts the results of checks. */
export const countsOf = ({ results }: CheckReport) => ({
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

export function prettyLine({ check, outcome, reason }: CheckResult): string {
  const line = `${marks[outcome]} ${check.name}: ${check.about}\n`;
  if (outcome === 'skipped') return `${marks[outcome]} ${check.name}: ${oneLine(reason ?? '')}\n`;
  return outcome === 'ok' ? line : `${line}       ${oneLine(reason ?? '')}\n       specification: ${check.specification}\n`;
}

const yaml = (text: string) => JSON.stringify(oneLine(text));

function tap({ results }: CheckReport): string {
  const lines = results.map(({ check, outcome, reason = '', took }, at) => {
    const head = `${outcome === 'wrong' ? 'not ok' : 'ok'} ${at + 1} - ${check.name}`;
    if (outcome === 'skipped') return `${head} # SKIP ${oneLine(reason)}`;
    if (outcome === 'ok') return head;
    return `${head}\n  ---\n  message: ${yaml(reason)}\n  specification: ${yaml(check.specification)}\n  duration_ms: ${took}\n  ...`;
  });
  return `TAP version 14\n1..${results.length}\n${lines.join('\n')}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string) => oneLine(text).replace(/[&<>"]/g, (mark) => entities[mark]!);

function junit(report: CheckReport, url: string): string {
  const { results } = report;
  const { wrong, skipped } = countsOf(report);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const cases = results.map(({ check, outcome, reason = '', took }) => {
    const open = `    <testcase classname="${xml(check.name.split('.')[0]!)}" name="${xml(check.name)}" time="${seconds(took)}"`;
    if (outcome === 'ok') return `${open}/>`;
    const inside =
      outcome === 'skipped'
        ? `<skipped message="${xml(reason)}"/>`
        : `<failure message="${xml(reason)}">${xml(check.specification)}</failure>`;
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
      ...countsOf(report),
      left: report.left,
      checks: report.results.map(({ check, outcome, reason, took }) => ({
        name: check.name,
        outcome,
        ...(reason === undefined ? {} : { reason }),
        about: check.about,
        specification: check.specification,
        took,
      })),
    },
    null,
    2,
  )}\n`;

/** Formats a report; `pretty` is written line by line instead. */
export const reportText: Record<Exclude<CheckFormat, 'pretty'>, (report: CheckReport, url: string) => string> = { tap, junit, json };
