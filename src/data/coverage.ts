import type { CoverageReport } from '../model/operation-types.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import { coverageLines, coverageText } from '../model/operations/test-report.ts';
import { keepCoverage } from './artifacts.ts';

/** True where a run is one of CI, by the variable that its services set. */
export const isCi = ({ CI }: Readonly<Record<string, string | undefined>>): boolean => !['', 'false', '0', undefined].includes(CI);

/** Returns what clients of a server met at the end of a run: a table, or with `option`, which prints one, a sentence. Keeps it in a folder. */
export async function coverageReport(
  control: Pick<CalendarControl, 'coverage'>,
  option: string | undefined,
  artifacts: string | undefined,
): Promise<{ text: string; report: CoverageReport }> {
  const report = await control.coverage({ all: true });
  const sentence = coverageText(report);
  if (sentence === '') return { text: '', report };
  const files = artifacts === undefined ? [] : [`  ${await keepCoverage(artifacts, report)}`];
  const lines = option === undefined ? [`${sentence}:`, ...coverageLines(report)] : [`${sentence}: ${option} lists them`];
  return { text: [...lines, ...files].join('\n'), report };
}

/** Why a report is below the share of variants that a run has to meet, in percent; undefined if it is not. */
export const belowText = ({ met, total }: CoverageReport, percent: number | undefined): string | undefined =>
  percent !== undefined && met * 100 < percent * total
    ? `The app met ${Math.floor((met * 100) / total)} % of the variants, less than ${percent} %`
    : undefined;
