import { expect, it } from 'vitest';
import { prettyLine, printReport, reportFormats } from '../../../src/cli/print/check-report.ts';
import type { Session } from '../../../src/cli/session.ts';
import type { CheckReport } from '../../../src/data/check/run.ts';
import { Failure } from '../../../src/model/error.ts';

const check = { about: 'A tag is returned', specification: '§ 4.1 <tags>', took: 1500 };
const results: CheckReport['results'] = [
  { ...check, name: 'tags.get', outcome: 'ok' },
  { ...check, name: 'tags.update', outcome: 'wrong', reason: 'status "500" & no body\n\u0007' },
  { ...check, name: 'tags.delete', outcome: 'skipped', reason: 'needs a <user>' },
];

async function printed(report: Partial<CheckReport>, format: (typeof reportFormats)[number], reason?: string) {
  const said = { stdout: '', stderr: '' };
  const session = {
    print: async (text: string) => {
      said.stdout += text;
    },
    tell: async (line: string) => {
      said.stderr += `${line}\n`;
    },
    terminal: { interrupted: { aborted: reason !== undefined, reason } },
  } as unknown as Session;
  const exit = await printReport(session, { results: [], left: [], ...report } as CheckReport, 'http://x.test/', format);
  return { ...said, exit };
}

it.each(reportFormats)('a report as %s has every result, with texts escaped', async (format) => {
  const { stdout } = await printed({ results }, format);
  expect(format === 'pretty' ? results.map(prettyLine).join('') + stdout : stdout).toMatchSnapshot();
});

it.each<[what: string, report: Partial<CheckReport>, exit: number, stderr: string, reason?: string]>([
  ['nothing failed', { results: results.slice(0, 1) }, 0, ''],
  ['a check failed', { results }, 8, ''],
  ['a record is left', { left: ['/tags/5'] }, 8, 'calendar: Could not delete /tags/5\n'],
  ['it was interrupted', { results }, 130, '', 'SIGINT'],
  ['it was ended', { results }, 143, '', 'SIGTERM'],
])('the exit code says that %s', async (_what, report, exit, stderr, reason) => {
  expect(await printed(report, 'tap', reason)).toMatchObject({ exit, stderr });
});

it('a failure that ended the checks is thrown after their results', async () => {
  await expect(printed({ failure: new Failure('unreachable', 'gone') }, 'json')).rejects.toThrow('gone');
});
