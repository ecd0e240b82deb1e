import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { limit } from '../../support/timeouts.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
let server: Served;
beforeAll(async () => {
  server = await served();
  for (const where of ['file', 'server'])
    for (const line of [
      "venues create --venue 'Main Hall' --city Berlin",
      "events create --title 'Tom & Jerry' --start-date '2027-03-01 10:00' --end-date '2027-03-01 12:00' --timezone Europe/Berlin --venue main-hall --categories music --tags loud,late --cost 10 --description '<b>Fun</b>'",
      "events create --title 'Other' --start-date '2026-10-01 10:00' --end-date '2026-10-01 12:00' --cost 9",
      "events create --title 'another' --start-date '2026-11-01 10:00' --end-date '2026-11-01 12:00' --cost 100",
      "events create --title 'Running' --start-date '2026-11-20 09:00' --end-date '2026-11-20 20:00'",
      "events create --title 'Morning' --start-date '2026-11-20 08:00' --end-date '2026-11-20 09:00'",
    ])
      await at(where, line);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const at = (where: string, line: string, given: Given = {}) =>
  run([...words(line), ...(where === 'file' ? [] : ['--url', server.url])], { cwd: place.path, ...given });

/** An editor that does this to the file that it is given: a program for sed, or none. */
function editor(name: string, script: string): Record<string, string> {
  const path = join(place.path, name);
  writeFileSync(path, `#!/bin/sh\ncp "$1" '${path}.seen'\n${script}\n`);
  chmodSync(path, 0o755);
  return { PATH: process.env.PATH!, EDITOR: path };
}

describe.each(['file', 'server'])('on a %s', (where) => {
  it('edit shows writable fields, and sends changed ones', async () => {
    const env = editor('change', `sed -i 's/"Tom & Jerry"/"Tom \\& Spike"/; s/10:00:00/09:00:00/' "$1"`);
    const { stdout, stderr, exit } = await at(where, 'events edit tom-jerry --json=title,start_date,end_date,venue.venue', { env });
    expect(JSON.parse(readFileSync(join(place.path, 'change.seen'), 'utf8'))).toMatchObject({
      title: 'Tom & Jerry',
      slug: 'tom-jerry',
      start_date: '2027-03-01 10:00:00',
      end_date: '2027-03-01 12:00:00',
      timezone: 'Europe/Berlin',
      cost: ['10'],
      venue: 'main-hall',
      categories: ['music'],
      tags: ['late', 'loud'],
      all_day: false,
    });
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      title: 'Tom &#038; Spike',
      start_date: '2027-03-01 09:00:00',
      end_date: '2027-03-01 12:00:00',
      venue: { venue: 'Main Hall' },
    });
  });

  it('edit sends nothing without changes or after a failed editor', async () => {
    const before = (await at(where, 'events get tom-jerry --json')).stdout;
    expect(await at(where, 'events edit tom-jerry', { env: editor('same', 'exit 0') })).toEqual({
      stdout: '',
      stderr: 'No changes\n',
      exit: 0,
    });
    expect(await at(where, 'events edit tom-jerry', { env: editor('fails', 'exit 3') })).toMatchObject({ stdout: '', exit: 2 });
    expect((await at(where, 'events get tom-jerry --json')).stdout).toBe(before);
    expect(await at(where, 'events edit tom-jerry')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('No terminal for the editor'),
    });
  });

  it('edit shows and keeps block comments when the text between them changes', async () => {
    const text = '<!-- wp:paragraph --><p>Old</p><!-- /wp:paragraph -->';
    const create = `events create --title Blocks${where} --start-date '2027-03-01 10:00' --description '${text}' --quiet`;
    const id = (await at(where, create)).stdout.trim();
    const { stdout } = await at(where, `events edit ${id} --json=description`, {
      env: editor(`blocks-${where}`, `sed -i 's/Old/New/' "$1"`),
    });
    expect(JSON.parse(stdout)).toEqual({ description: '<p>New</p>' });
    const { stdout: exported } = await at(where, 'export --format ndjson');
    expect(exported).toContain(JSON.stringify(text.replace('Old', 'New')).slice(1, -1));
  });

  it.each([
    ['what is not JSON', 'echo "{" > "$1"', 'invalid JSON at line 2, column 1: unexpected end of the text'],
    ['an unknown field', `sed -i 's/"title"/"titel"/' "$1"`, 'Unknown field "titel" of events'],
    ['an end before the start', `sed -i 's/12:00:00/08:00:00/' "$1"`, 'is before the start'],
    ['an unknown venue', `sed -i 's/main-hall/main-hal/' "$1"`, 'venue: No venue has the slug or name "main-hal"'],
  ])('edit keeps %s', async (name, script, message) => {
    const { stdout, stderr, exit } = await at(where, 'events edit tom-jerry', { env: editor(name.replaceAll(' ', '-'), script) });
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 });
    expect(stderr).toContain(message);
    const kept = /Your changes are in (\S+)\. Retry/.exec(stderr)![1]!;
    expect(existsSync(kept)).toBe(true);
  });

  it('clone makes another one, whose end goes along with its start', async () => {
    const fields = '--json=title,slug,start_date,end_date,timezone,venue.id,categories.slug,cost,description';
    const original = JSON.parse((await at(where, `events get tom-jerry ${fields}`)).stdout);
    const copy = JSON.parse((await at(where, `events clone tom-jerry ${fields}`)).stdout);
    expect({ ...copy, slug: '' }).toEqual({ ...original, slug: '' });
    expect(copy.slug).not.toBe(original.slug);
    const next = await at(where, `events clone tom-jerry --start-date '2027-03-08 09:00' --title Next --venue '' ${fields}`);
    expect(JSON.parse(next.stdout)).toMatchObject({ title: 'Next', slug: 'next', end_date: '2027-03-08 12:00:00' });
    expect(await at(where, 'events clone nothing')).toMatchObject({ exit: 3, stdout: '' });
  });

  // It is 16:05 on 20 November.
  it.each([
    ['--past', ['Morning', 'another', 'Other']],
    ['--past --limit 1', ['Morning']],
    ['--past --per-page 2 --page 2', ['Other']],
    ['--past --from 2026-10-15', ['Morning', 'another']],
    ['--past --sort title', ['another', 'Morning', 'Other']],
    ['--from now --to tomorrow', ['Running']],
    ['--from today --to today', ['Morning', 'Running']],
    ["--from 'today 08:30' --to 'today 08:45'", ['Morning']],
    ['--from 2026-10-01 --to 2026-11-01', ['Other', 'another']],
    ['--to 2026-11-20 --sort -cost', ['another', 'Other', 'Morning', 'Running']],
    ['--to 2026-11-20 --sort -start_date --limit 2', ['Running', 'Morning']],
    ['--to 2026-11-20 --sort -title', ['Running', 'Other', 'Morning', 'another']],
  ])('list %s', async (options, titles) => {
    const { stdout, stderr } = await at(where, `events list ${options} --format ndjson --fields title`);
    expect(stderr).toBe('');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toEqual(titles);
  });

  it.each([
    ['events list --from nonsense', 'from: "nonsense" is not a valid date'],
    ['events list --starts-after 1970-01-01', 'Invalid starts_after: "1970-01-01" is 1970-01-01 00:00:00 UTC, which stands for no date'],
    ['generate --events 99999999', 'Expected a whole number up to 9999999.'],
    ['events list --to 2027-02-30', "to: the day 2027-02-30 doesn't exist"],
    ['events list --past --starts-after today', 'Use either --past or --starts-after, not both'],
    ['events list --sort titel', 'Did you mean title?'],
  ])('refuses %s', async (line, message) => {
    const { stdout, stderr, exit } = await at(where, line);
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 });
    expect(stderr).toContain(message);
  });
});

it('get --web opens the page of a server, and fails for a file', async () => {
  const browser = join(place.path, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > '${browser}.new' && mv '${browser}.new' '${browser}.seen'\n`);
  chmodSync(browser, 0o755);
  const env = { PATH: process.env.PATH!, BROWSER: browser };
  const shown = await at('server', 'events get tom-jerry --web', { env });
  expect(shown).toEqual({ stdout: '', stderr: `Opening ${server.url}/event/tom-jerry/\n`, exit: 0 });
  await expect
    .poll(() => existsSync(`${browser}.seen`) && readFileSync(`${browser}.seen`, 'utf8'), { timeout: limit(10_000) })
    .toBe(`${server.url}/event/tom-jerry/\n`);
  expect(await at('file', 'events get tom-jerry --web', { env })).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('No server is running for'),
  });
});
