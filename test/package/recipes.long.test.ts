import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { project } from '../support/packed.ts';
import { runMark } from '../support/run-mark.ts';
import { limit } from '../support/timeouts.ts';

interface Step {
  id?: string;
  uses?: string;
  run?: string;
  shell?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Inputs {
  [name: string]: { description: string; default: string };
}
interface Job {
  needs?: string | string[];
  steps: Step[];
}

const folder = mkdtempSync(join(tmpdir(), 'calendar-recipes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const action: { inputs: Inputs; outputs: Record<string, { value: string }>; runs: { using: string; steps: Step[] } } = parse(
  readFileSync('action.yml', 'utf8'),
);
const workflow = (name: string): { jobs: Record<string, Job> } => parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8'));
const ci = workflow('ci');
const release = workflow('release');

/** The value of each `${{ … }}` of a text. */
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\$\{\{ *([\w.]+) *\}\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`nothing says what ${name} is`);
    return values[name];
  });

const tarball = `${project.name}-${project.version}.tgz`;

/** Runs the steps of the action as GitHub does, with npm and calendar as programs that are given; what they put out, and what ends the server that they leave behind. */
async function runAction(given: Record<string, string>): Promise<Record<'env' | 'output' | 'npm', string> & { end(): void }> {
  const home = mkdtempSync(join(folder, 'run-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const program = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program('npm', `echo "$PWD: $@" >> '${join(home, 'npm')}'; [ "$1" != pack ] || printf 'what a build says\\n${tarball}\\n'`);
  program('calendar', `exec '${process.execPath}' '${resolve('dist/calendar.js')}' "$@"`);
  const inputs = Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, given[name] ?? input.default]);
  const values = { ...Object.fromEntries(inputs), 'github.action_path': resolve('.') };
  for (const { run = '', shell, env = {} } of action.runs.steps) {
    expect(shell).toBe('bash');
    const told = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, filled(text, values)]));
    await promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: home,
      env: {
        ...told,
        ...runMark,
        HOME: home,
        PATH: [bin, process.env.PATH].join(delimiter),
        RUNNER_TEMP: home,
        GITHUB_ENV: join(home, 'env'),
        GITHUB_OUTPUT: join(home, 'output'),
      },
    });
  }
  const read = (name: string) => readFileSync(join(home, name), 'utf8');
  const end = () =>
    void process.kill(Number(/process (\d+)\. Stop/.exec(readFileSync(/^log=(.*)$/m.exec(read('output'))![1]!, 'utf8'))![1]));
  return { env: read('env'), output: read('output'), npm: read('npm'), end };
}

it(
  'the action installs its own commit, serves, and says where',
  async () => {
    const { env, output, npm, end } = await runAction({ options: '--now 2027-03-01T09:00:00Z --timezone Europe/Paris --cors *' });
    try {
      const asked = npm.trim().split('\n');
      expect(asked.map((line) => line.split(': ')[0])).toEqual([resolve('.'), resolve('.'), resolve('.')]);
      expect(asked[0]).toContain(': ci ');
      expect(asked[2]).toMatch(/: install --global .* -- (.*)$/);
      expect(asked[2]!.split(' ').at(-1)).toBe(resolve(tarball));
      const [url, control, root] = [...env.matchAll(/=(http:\/\/127\.0\.0\.1:\d+\S*)\n/g)].map(([, address]) => address!);
      expect(env).toBe(`CALENDAR_URL=${url}\nCALENDAR_CONTROL_URL=${control}\nCALENDAR_ROOT_URL=${root}\n`);
      expect(output).toMatch(new RegExp(`^log=/.*\\.log\nurl=${url}\ncontrol=${control}\nroot=${root}\n$`));
      expect([`${root}/_calendar`, `${root}/calendar/events/v1`]).toEqual([control, url]);
      const { events } = (await (await fetch(`${url}/events`)).json()) as { events: unknown[] };
      expect(events.length).toBeGreaterThan(5);
      const { id } = action.runs.steps.find(({ run }) => run?.includes('GITHUB_OUTPUT'))!;
      for (const name of ['url', 'control', 'root']) expect(action.outputs[name]!.value).toBe(`\${{ steps.${id}.outputs.${name} }}`);
    } finally {
      end();
    }
  },
  limit(60_000),
);

it('the action installs the given version', { timeout: limit(60_000) }, async () => {
  const { npm, end } = await runAction({ package: '--prefix=/elsewhere' });
  try {
    expect(npm.trim()).toMatch(/: install --global --no-audit --no-fund -- --prefix=\/elsewhere$/);
  } finally {
    end();
  }
});

it('the action fails with the server, and prints the reason', { timeout: limit(60_000) }, async () => {
  await expect(runAction({ seed: 'nothing-like-it' })).rejects.toThrow('No seed or file has the name');
});

it('every step of the action and of the workflows is valid for GitHub', () => {
  expect(action.runs.using).toBe('composite');
  for (const { run, uses } of [
    ...action.runs.steps,
    ...[ci, release].flatMap(({ jobs }) => Object.values(jobs).flatMap(({ steps }) => steps)),
  ])
    expect([typeof run, typeof uses].sort()).toEqual(['string', 'undefined']);
  for (const { jobs } of [ci, release])
    for (const { needs = [] } of Object.values(jobs)) expect(Object.keys(jobs)).toEqual(expect.arrayContaining([needs].flat()));
});

it('a release has the text of its section in the changelog, and is refused for another version', () => {
  const notes = (tag: string) => spawnSync(process.execPath, ['.ci/release-notes.mjs', tag], { encoding: 'utf8' });
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const { status, stdout } = notes(`v${project.version}`);
  expect(status).toBe(0);
  expect(changelog).toContain(stdout.trim());
  expect(stdout).toMatch(/^### /m);
  expect(stdout).not.toMatch(/^## /m);
  expect(notes('v0.0.1')).toMatchObject({ status: 1, stdout: '' });
});

it('workflows name scripts, inputs and files that there are', () => {
  const steps = Object.values(ci.jobs).flatMap((job) => job.steps);
  const scripts = [...steps, ...Object.values(release.jobs).flatMap((job) => job.steps)].flatMap(({ run = '' }) =>
    [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
  );
  expect(scripts.filter((name) => !project.scripts[name])).toEqual([]);
  const own = steps.find(({ uses }) => uses === './')!;
  expect(Object.keys(own.with!).filter((name) => !action.inputs[name])).toEqual([]);
});

it('the image copies what the build makes, and asks for nothing that is ignored', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const copied = [...dockerfile.matchAll(/\/src\/([\w./-]+)/g)].map(([, file]) => file!);
  expect(copied).toContain('dist/calendar.js');
  expect(copied.filter((file) => !existsSync(file))).toEqual([]);
});

it('the container for development is JSON, and brings what tests drive', () => {
  const { postCreateCommand, forwardPorts } = JSON.parse(readFileSync('.devcontainer/devcontainer.json', 'utf8'));
  const [, tools = ''] = /^for tool in ([^;]+); do/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];
  expect(tools.split(' ').filter((tool) => !postCreateCommand.includes(tool))).toEqual([]);
  expect(forwardPorts).toEqual([8787]);
});
