import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { namespace } from '../src/model/routes.ts';
import { type Spread, shown, spreadOf } from './figures.ts';
import { bare, calendar } from './programs.ts';
import type { Scenario } from './scenarios.ts';

/*
 * The same load with wrk, which uses less processor time than a Node program: the calendar with and without its request log, and the bare server.
 */

/** Returns the installed version of wrk. */
export const wrkVersion = (): string | undefined => /^wrk \S+/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout ?? '')?.[0];

/** Returns the requests per second for paths in a loop. Each connection sends a request when the previous response has arrived. */
function perSecond(port: number, script: string, connections: number, seconds: number): number {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, `http://127.0.0.1:${port}`];
  const { stdout } = spawnSync('wrk', args, { encoding: 'utf8' });
  const rate = /^Requests\/sec: +([\d.]+)/m.exec(stdout)?.[1];
  if (!rate || /Non-2xx/.test(stdout)) throw new Error(`wrk: ${stdout}`);
  return Number(rate);
}

const rotating = (paths: readonly string[]) => `local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local next = 0
request = function()
  next = next % #paths + 1
  return wrk.format('GET', paths[next])
end
`;

/** Ratios of requests per second in one scenario by round. */
export interface WrkResult {
  scenario: string;
  toBare: Spread;
  /** With the request log, to without. */
  logged: Spread;
}

/** Measures the scenarios at 16 connections, in turn, on copies of the file in the folder. */
export async function wrkResults(source: string, folder: string, scenarios: readonly Scenario[], rounds: number): Promise<WrkResult[]> {
  const [quietFile, loggedFile] = ['quiet', 'logged'].map((name) => {
    const file = `${folder}/${name}.db`;
    for (const end of ['', '-log', '-owner']) rmSync(file + end, { force: true });
    copyFileSync(source, file);
    return file;
  });
  const absolute = ({ paths }: Scenario) => paths.map((path) => `/${namespace}${path}`);
  const quiet = await calendar(quietFile!);
  const logged = await calendar(loggedFile!, `${folder}/requests.log`);
  const limit = await bare({ from: quiet.port, paths: [...new Set(scenarios.flatMap(absolute))] });
  const script = `${folder}/requests.lua`;
  const results: WrkResult[] = [];
  for (const scenario of scenarios) {
    writeFileSync(script, rotating(absolute(scenario)));
    const rates: number[][] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const rate = [quiet, logged, limit].map(({ port }) => perSecond(port, script, 16, 1));
      if (round > 0) rates.push(rate);
    }
    const ratio = (of: number, to: number) => spreadOf(rates.map((rate) => rate[of]! / rate[to]!));
    const result = { scenario: scenario.name, toBare: ratio(0, 2), logged: ratio(1, 0) };
    results.push(result);
    console.log(
      `wrk: ${scenario.name.padEnd(12)} 16 connections  ratio ${shown(result.toBare)}; with a line for each request ${shown(result.logged)} times`,
    );
  }
  await Promise.all([quiet.stop(), logged.stop(), limit.stop()]);
  rmSync(`${folder}/requests.log`, { force: true });
  return results;
}
