import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Form from '../../../src/cli/ui/form/form.ts';
import type { Collection } from '../../../src/model/calendar.ts';
import { defaultSlugs } from '../../../src/model/site-address.ts';
import type * as Viewer from '../../../src/model/viewer.ts';
import type * as Calendar from '../../../src/store/calendar.ts';
import type * as RecordPath from '../../../src/web/app/record.ts';
import type * as Definitions from '../../../src/web/definitions.ts';
import type { FormDefinition } from '../../../src/web/definitions.ts';
import { ProgramCopy } from '../../support/program-copy.ts';
import { run as runAsItIs, words } from '../../support/transcript.ts';

/** A copy of this program with a sixth resource: one file, its line in the list, a migration, and a link of events with its filter. */
const program = new ProgramCopy('sixth');
const copy = program.path;
afterAll(() => program.remove());

const speaker = `
import { responseForm } from '../fields/response.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { PostDefinition } from '../resource.ts';
import { linkedFilters, linkedList, postColumns, postComputed } from './post.ts';

const fields = field.defineFields({
  author: field.author('the user who wrote it'),
  date: field.calendarDate('when it is published', { stored: { column: { type: 'TEXT' } }, compared: { value: null } }),
  date_utc: field.utcDate('when it is published, in UTC', { stored: { column: { type: 'TEXT' } } }),
  speaker: field.title('their name', { required: true, shown: { redacted: [] } }),
  description: field.prose('what they talk about', { wire: { type: 'string', default: null } }),
  status: field.status('publish, draft, pending, private or future'),
  topic: field.line('their topic', { wire: { type: 'string', default: null } }),
  fee: field.wholeNumber('their fee'),
  image: field.image('a picture', { clearable: true }),
  post_password: field.secret('a password that opens its texts'),
});
const page = { type: 'calendar_speaker', base: 'speaker' };

export const speaker: PostDefinition = {
  name: 'speakers',
  kind: 'speaker',
  family: 'post',
  isLinked: true,
  page,
  about: 'who speaks at events',
  label: 'speaker',
  summary: ['id', 'speaker', 'topic'],
  mainFields: ['speaker', 'topic', 'fee'],
  search: ['speaker', 'description', 'topic'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields,
  response: responseForm(['id', 'status', 'modified', 'modified_utc', 'url', 'speaker', 'topic', 'slug', 'global_id', 'global_id_lineage'], fields, postComputed(page), { sparse: true }),
  list: filter.listForm(
    fields,
    { ...linkedFilters, topic: filter.word('with this topic'), max_fee: filter.atMost('fee', 'for at most this fee') },
    linkedList,
  ),
};
`;

let form: typeof Form;
beforeAll(async () => {
  const folder = 'src/model/resources';
  writeFileSync(join(copy, folder, 'speaker.ts'), speaker);
  program.insert(`${folder}/all.ts`, "import { tag } from './tag.ts';", "import { speaker } from './speaker.ts';");
  program.insert(`${folder}/all.ts`, '  categories: category,', '  speakers: speaker,');
  program.insert(`${folder}/event.ts`, "import { tag } from './tag.ts';", "import { speaker } from './speaker.ts';");
  program.insert(
    `${folder}/event.ts`,
    '  post_password: field.secret',
    "  speakers: field.toMany('who speaks: IDs of speakers, or new ones', speaker),",
  );
  program.insert(`${folder}/event.ts`, '  featured: filter.flag(', "  speakers: filter.posts('with one of these speakers', speaker),");
  const migrations = join(copy, 'src/store/records/schema.ts');
  writeFileSync(
    migrations,
    readFileSync(migrations, 'utf8').replace(
      'readonly (readonly string[])[] = []',
      `readonly (readonly string[])[] = [[
        'create table speakers (id integer primary key)',
        'create table event_speakers (event_id integer not null references events(id) on delete cascade, speaker_id integer not null references speakers(id) on delete cascade, position integer not null default 0, primary key (event_id, speaker_id)) without rowid',
      ]];`,
    ),
  );
  form = await program.load('src/cli/ui/form/form.ts');
});

const calendar = (line: string, stdin?: string) => program.run(line, stdin);
const printed = (line: string, stdin?: string) => program.printed(line, stdin);
const json = async (line: string, stdin?: string) => JSON.parse(await printed(line, stdin));

type Speaker = { id: number; speaker: string; slug: string };
const names = (records: Speaker[]) => records.map(({ speaker }) => speaker).sort();
/** The names of the speakers of each event, in linked order. */
const programme = async (db: string): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await json(`events list --json --db ${db}`)).map(({ title, speakers }: { title: string; speakers: Speaker[] }) => [
      title,
      speakers.map(({ speaker }) => speaker),
    ]),
  );
const expected = { Talk: ['Cy', 'Ada'], Panel: ['Bea'] };

async function fill(db: string): Promise<void> {
  await printed(`speakers create --speaker Ada --topic Engines --fee 300 --image https://example.org/ada.png --db ${db}`);
  await printed(`speakers create --speaker Bea --topic 'Café life' --fee 50 --db ${db}`);
  await printed(`events create --title Panel --start-date tomorrow --duration 1h --speakers Bea --db ${db}`);
  const talk = { title: 'Talk', start_date: 'tomorrow', end_date: 'tomorrow', speakers: [{ speaker: 'Cy' }, 8] };
  await printed(`events create --data - --db ${db}`, JSON.stringify(talk));
}

describe('a sixth resource, as one file', () => {
  beforeAll(() => fill('a.db'));

  it('is created, listed and shown by slug and ID', async () => {
    expect(names(await json('speakers list --json --db a.db'))).toEqual(['Ada', 'Bea', 'Cy']);
    expect(await json('speakers get ada --json=id,speaker,topic,fee --db a.db')).toEqual({
      id: 8,
      speaker: 'Ada',
      topic: 'Engines',
      fee: 300,
    });
    expect(await printed('speakers list --db a.db')).toMatch(/speaker +topic/i);
    expect(await programme('a.db')).toEqual(expected);
  });
  it('shares IDs with the other posts', async () => {
    const ids = (await json('speakers list --json --db a.db')).map(({ id }: Speaker) => id);
    const others = (await json('events list --json --db a.db')).map(({ id }: Speaker) => id);
    expect(new Set([...ids, ...others]).size).toBe(5);
  });
  it('a name and description that exist are the same record', async () => {
    await printed(`speakers create --speaker ada --topic Looms --db same.db`);
    await printed(`speakers create --speaker Ada --fee 1 --db same.db`);
    expect(await json('speakers list --json=topic,fee --db same.db')).toEqual([{ topic: 'Looms', fee: 1 }]);
  });

  it.each([
    ['--topic engines', ['Ada']],
    ['--topic "CAFE LIFE"', ['Bea']],
    ['--topic nothing', []],
    ['--max-fee 60', ['Bea']],
    ['--max-fee 300 --topic engines', ['Ada']],
    ['--search engines', ['Ada']],
    ['--has-events', ['Ada', 'Bea', 'Cy']],
    ['--no-has-events', []],
    ['--only-with-upcoming', ['Ada', 'Bea', 'Cy']],
  ])('%s', async (filter, found) => expect(names(await json(`speakers list ${filter} --json --db a.db`))).toEqual(found));
  it.each([
    ['--speakers 8', ['Talk']],
    ['--speakers bea', ['Panel']],
    ['--speakers 8,9', ['Panel', 'Talk']],
  ])('events list %s', async (filter, titles) => {
    const found: { title: string }[] = await json(`events list ${filter} --json --db a.db`);
    expect(found.map(({ title }) => title).sort()).toEqual(titles);
  });
  it('--event lists those of one event', async () => {
    const [{ id }] = await json('events list --search Talk --json --db a.db');
    expect(names(await json(`speakers list --event ${id} --json --db a.db`))).toEqual(['Ada', 'Cy']);
  });
  it('links to other pages show its filters', async () => {
    const page = await json("request GET '/speakers?max_fee=1000&topic=Engines&per_page=1' --db a.db");
    expect([page.total, page.rest_url]).toEqual([1, expect.stringMatching(/max_fee=1000.*topic=Engines|topic=Engines.*max_fee=1000/)]);
    const first = await json("request GET '/speakers?max_fee=1000&per_page=1' --db a.db");
    expect([first.total, first.next_rest_url]).toEqual([2, expect.stringMatching(/max_fee=1000.*page=2/)]);
    const events = await json("request GET '/events?speakers=8,9&per_page=1' --db a.db");
    expect(events.next_rest_url).toMatch(/speakers=8%2C9.*page=2/);
  });
  it('faults are named after it', async () => {
    expect(await calendar('request GET /speakers?page=9 --db a.db')).toMatchObject({
      stdout: expect.stringContaining('speaker-archive-page-not-found'),
    });
    expect(
      (
        await calendar(
          'events create --data - --db a.db',
          JSON.stringify({ title: 'A', start_date: 'now', end_date: 'now', speakers: { speaker: '' } }),
        )
      ).stderr,
    ).toMatch(/new speaker requires a name/);
    expect((await calendar('events update talk --speakers 1 --db a.db')).stderr).toMatch(/not the ID of a speaker/);
  });

  it('is in the help', async () => {
    expect(await printed('--help')).toMatch(/^ {2}speakers +/m);
    expect(await printed('speakers list --help')).toMatch(/--topic <text>[\s\S]*--max-fee <n>/);
    expect(await printed('speakers create --help')).toMatch(/--fee <n>/);
    expect(await printed('events create --help')).toMatch(/--speakers <name>/);
    expect(await printed('events update --help')).toMatch(/--add-speakers <name>/);
  });
  it('is in /doc', async () => {
    const { paths, components } = await json('request GET /doc --db a.db');
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/speakers', '/speakers/{id}', '/speakers/by-slug/{slug}']));
    expect(components.schemas.Speaker.properties.fee).toMatchObject({ type: 'integer' });
    expect(components.schemas.Event.properties.speakers).toMatchObject({ type: 'array', items: { $ref: '#/components/schemas/Speaker' } });
  });
  it('is in /openapi.json', async () => {
    const { paths, components } = await json('openapi --db a.db');
    const list = paths['/speakers'].get;
    expect(list.parameters.map(({ name }: { name?: string }) => name)).toEqual(expect.arrayContaining(['topic', 'max_fee', 'event']));
    expect(components.schemas.Event.properties.speakers.items).toEqual({ $ref: '#/components/schemas/Speaker' });
    expect(JSON.stringify(components.schemas.NewEvent.properties.speakers)).toContain('#/components/schemas/NewSpeaker');
    expect(components.schemas.Error.properties.code.enum).toContain('could-not-create-speaker');
    const refs = [...JSON.stringify({ paths, components }).matchAll(/"#\/components\/(\w+)\/(\w[\w-]*)"/g)];
    for (const [, kind, name] of refs) expect(components[kind!], name).toHaveProperty(name!);
  });
  it('has its address in the index', async () =>
    expect(Object.keys((await json('request GET / --db a.db')).routes).some((route) => /\/speakers$/.test(route))).toBe(true));
  it('is in the forms of events, in the terminal and on the page', async () => {
    expect(form.formFields.map((field) => field.name)).toContain('speakers');
    const { definitions } = await program.load<typeof Definitions>('src/web/definitions.ts');
    const all = definitions as unknown as Record<string, FormDefinition>;
    expect(all.events!.fields.find(({ name }) => name === 'speakers')).toMatchObject({ control: 'records', links: 'speakers' });
    const { labels } = await program.load<typeof Definitions>('src/web/definitions.ts');
    expect(labels).toMatchObject({ speakers: { label: 'speaker', isPost: true } });
  });
  it('has a form and a page', async () => {
    const { definitions } = await program.load<typeof Definitions>('src/web/definitions.ts');
    expect(definitions).toMatchObject({ speakers: { mainFields: ['speaker', 'topic', 'fee'] } });
    const { newAddressOf, kinds } = await program.load<{ newAddressOf(resource: string): string; kinds: Record<string, string> }>(
      'src/web/app/forms/address.ts',
    );
    expect([newAddressOf('speakers'), kinds.speaker]).toEqual(['/?new=speaker', 'speakers']);
    const { parseRecordAddress, pathsIn } = await program.load<typeof RecordPath>('src/web/app/record.ts');
    expect(parseRecordAddress(new URL('http://localhost/speaker/ada'), defaultSlugs)).toEqual({ kind: 'speaker', path: 'by-slug/ada' });
    expect(parseRecordAddress(new URL('http://localhost/?post_type=calendar_speaker&p=8'), defaultSlugs)).toEqual({
      kind: 'speaker',
      path: '8',
    });
    expect('speaker/ada').toMatch(new RegExp(`^${pathsIn(defaultSlugs, true)}`));
  });
  it('is counted by status', async () =>
    expect((await json('status --json --db a.db')).records ?? (await json('status --json --db a.db'))).toMatchObject({ speakers: 3 }));

  it('is updated; lists of links are added to', async () => {
    await fill('update.db');
    await printed('speakers update bea --fee 75 --topic Tea --db update.db');
    expect(await json('speakers get bea --json=fee,topic --db update.db')).toEqual({ fee: 75, topic: 'Tea' });
    await printed('events update talk --add-speakers bea --remove-speakers ada --db update.db');
    expect(await programme('update.db')).toEqual({ Panel: ['Bea'], Talk: ['Cy', 'Bea'] });
  });
  it('goes to the trash and off its events', async () => {
    await fill('trash.db');
    await printed('speakers delete ada --db trash.db');
    expect(names(await json('speakers list --json --db trash.db'))).toEqual(['Bea', 'Cy']);
    expect(names(await json('speakers list --status trash --json --db trash.db'))).toEqual(['Ada']);
    expect(await programme('trash.db')).toEqual({ Panel: ['Bea'], Talk: ['Cy'] });
  });
  it('is published on its date', async () => {
    await printed("speakers create --speaker Late --date '2027-01-02 10:00' --now 2027-01-01 --db due.db");
    expect(await json('speakers list --json --now 2027-01-01 --db due.db')).toEqual([]);
    await printed('tags create --name any --now 2027-01-03 --db due.db');
    expect(names(await json('speakers list --json --now 2027-01-03 --db due.db'))).toEqual(['Late']);
  });
  it('is cleared with everything else', async () => {
    await fill('clear.db');
    await printed('reset --yes --db clear.db');
    expect([await json('speakers list --json --db clear.db'), await json('events list --json --db clear.db')]).toEqual([[], []]);
  });

  it.each(['json', 'ndjson'])('is exported and imported as %s', async (format) => {
    const [file, again] = [join(copy, `a.${format}`), `in-${format}.db`];
    writeFileSync(file, await printed(`export --format ${format} --db a.db`));
    await printed(`import ${file} --db ${again}`);
    expect(await programme(again)).toEqual(expected);
    expect(await json(`speakers list --json=id,speaker,topic,fee,slug --db ${again}`)).toEqual(
      await json('speakers list --json=id,speaker,topic,fee,slug --db a.db'),
    );
    expect(await printed(`export --format ${format} --db ${again}`)).toBe(readFileSync(file, 'utf8'));
  });
  it('is exported and imported as CSV, and links of events name it', async () => {
    for (const only of ['speakers', 'events']) {
      const file = join(copy, `${only}.csv`);
      writeFileSync(file, await printed(`export --format csv --only ${only} --db a.db`));
      await printed(`import ${file} --only ${only} --db csv.db`);
    }
    expect(await programme('csv.db')).toEqual(expected);
    expect(await json('speakers list --json=speaker,topic,fee --db csv.db')).toEqual(
      await json('speakers list --json=speaker,topic,fee --db a.db'),
    );
  });
  it('is created by a CSV file that names it', async () => {
    writeFileSync(join(copy, 'named.csv'), 'title,start_date,end_date,speakers\r\nSolo,tomorrow 10:00,tomorrow 11:00,Dan\r\n');
    await printed('import named.csv --only events --db named.db');
    expect(await programme('named.db')).toEqual({ Solo: ['Dan'] });
  });
  it('responses are imported', async () => {
    for (const [path, db] of [
      ['/speakers', 'a.db'],
      ['/events', 'a.db'],
    ])
      await printed(`import - --format json --db answers.db`, await printed(`request GET ${path} --db ${db}`));
    expect(await programme('answers.db')).toEqual(expected);
  });
  it('has a section in fixtures and their schema', async () => {
    const fixture = {
      speakers: { ada: { speaker: 'Ada', fee: 5 } },
      events: { talk: { title: 'Talk', start_date: '2040-01-01', end_date: '2040-01-01', speakers: ['@ada'] } },
    };
    writeFileSync(join(copy, 'own.json'), JSON.stringify(fixture));
    await printed('seed own.json --db seeded.db');
    expect(await json('events list --start-date 2039-01-01 --end-date 2041-01-01 --json=title,speakers.speaker --db seeded.db')).toEqual([
      { title: 'Talk', speakers: [{ speaker: 'Ada' }] },
    ]);
    const { properties, $defs } = await json('seed --schema');
    expect([Object.keys(properties), $defs.speakers.properties.fee]).toEqual([
      expect.arrayContaining(['speakers']),
      expect.objectContaining({ description: 'their fee' }),
    ]);
  });
  it('is pulled, pushed and compared', async () => {
    const there = await program.served();
    try {
      await printed(`push ${there.url} --db a.db`);
      expect((await calendar(`diff ${there.url} --db a.db`)).stdout + (await calendar(`diff ${there.url} --db a.db`)).exit).toMatch(/0$/);
      await printed(`pull ${there.url} --db pulled.db`);
      expect(await programme('pulled.db')).toEqual(expected);
      expect(names(await json('speakers list --json --db pulled.db'))).toEqual(['Ada', 'Bea', 'Cy']);
      await fill('push.db');
      await printed('speakers update ada --fee 1 --db a.db');
      const differences = JSON.parse((await calendar(`diff ${there.url} --json --db a.db`)).stdout);
      expect(differences.map(({ fields }: { fields: object }) => fields)).toEqual([{ fee: { local: 1, remote: 300, direction: 'here' } }]);
      await printed('speakers update ada --fee 300 --db a.db');
    } finally {
      await there.close();
    }
  });
  it('events show its changes at once, and the feed tells of them', async () => {
    const { openCalendar } = await program.load<typeof Calendar>('src/store/calendar.ts');
    const { owner } = await program.load<typeof Viewer>('src/model/viewer.ts');
    const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2027-03-01T09:00:00Z') });
    const told: object[] = [];
    store.follow({ changed: (records) => told.push(...records), reset: () => told.push({ reset: true }) });
    const site = { home: 'http://x.test', root: 'http://x.test/v1' };
    const local = store.calendarFor(owner, site) as unknown as Record<string, Collection>;
    const { id } = await local.speakers!.create({ speaker: 'Ada' });
    const { id: event } = await local.events!.create({ title: 'T', start_date: 'tomorrow', end_date: 'tomorrow', speakers: id });
    const { events } = store.local(owner, site);
    const shown = () =>
      [events.get({ id: event }, {}), events.list({}).entries[0]!].map(({ speakers }) =>
        (speakers as unknown as Speaker[]).map(({ speaker }) => speaker),
      );
    expect(shown()).toEqual([['Ada'], ['Ada']]);
    await local.speakers!.update({ id }, { speaker: 'Ada L.' });
    expect(shown()).toEqual([['Ada L.'], ['Ada L.']]);
    await local.speakers!.delete({ id });
    expect(shown()).toEqual([[], []]);
    expect(told).toEqual([
      { resource: 'speakers', id, action: 'created' },
      { resource: 'events', id: event, action: 'created' },
      { resource: 'speakers', id, action: 'updated' },
      { resource: 'speakers', id, action: 'deleted' },
      { resource: 'events', id: event, action: 'updated' },
    ]);
    await store.close();
  });
  it('a file without it lists none, and gets it when it is written to', async () => {
    await runAsItIs(words('events create --title Old --start-date tomorrow --duration 1h --db old.db'), { cwd: copy });
    const bytes = readFileSync(join(copy, 'old.db'));
    expect(await json('speakers list --json --db old.db')).toEqual([]);
    expect(await programme('old.db')).toEqual({ Old: [] });
    expect(readFileSync(join(copy, 'old.db')).equals(bytes)).toBe(true);
    await printed('speakers create --speaker New --db old.db');
    expect(names(await json('speakers list --json --db old.db'))).toEqual(['New']);
    const { exit, stderr } = await runAsItIs(words('events list --db old.db'), { cwd: copy });
    expect([exit, stderr]).toEqual([6, expect.stringMatching(/format \d/)]);
  });
});
