import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { publicFixture, publicImage } from '../../data/public-image.ts';
import { checkServed, defaultServing, plainNamespace } from '../../data/serving/options.ts';
import { folderOf } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { counted } from '../../model/grammar.ts';
import { isSeed } from '../../model/operations/formats.ts';
import { type PageFile, siteFilesFolder } from '../../model/web-page.ts';
import type { Store } from '../../store/calendar.ts';
import { SiteState } from '../../store/identity/sites.ts';
import { firstPage, workerName } from '../../web/first-page.ts';
import { projectConfig } from '../connect/config.ts';
import { openTarget, readStore, zoneOption } from '../connect/file.ts';
import { withConfigured } from '../serving/configured.ts';
import { addServing, type ServeOptions } from '../serving/options.ts';
import { checkSiteFolder, contentHash, type SiteFile, writeSite } from '../serving/write-site.ts';
import type { Runner, Session } from '../session.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';

/** The options of a server that a static site has, too. */
const siteOptions = [
  ...['taxonomy', 'headerPrefix', 'without', 'strict', 'hints', 'anonymous', 'partialUpdates'],
  ...['readOnly', 'posters', 'maxBody', 'journal', 'journalBody'],
] as const;

/** Number of requests that a browser keeps: it reads all of them when it starts the worker. */
const journalSize = 500;

/** `calendar build`: writes a static site, in which each browser has its own calendar. */
export function build(command: Command, runner: Runner): void {
  command.argument('<folder>', 'Folder of the site, which any web server can serve');
  addServing(command, undefined, ['seed', 'timezone', 'basePath', 'delay', 'fail', ...siteOptions])
    .option('--force', 'Add the site to a folder with other files')
    .action(
      runner.action((own, [folder], given, command) =>
        withConfigured(
          own,
          command,
          given as unknown as BuildOptions,
          async (session, options) => {
            await writeFolder(session, String(folder), options);
            return undefined;
          },
          { shapeOnly: true },
        ),
      ),
    );
  for (const [name, value] of Object.entries({ basePath: '/wp-json', journal: journalSize })) {
    command.setOptionValueWithSource(name, value, 'default');
    command.options.find((option) => option.attributeName() === name)!.default(value);
  }
}

interface BuildOptions extends ServeOptions {
  force?: boolean;
}

type PublicImage = Awaited<ReturnType<typeof publicImage>>;

/** The calendar of a site: an image, or the seed that it is filled with on the first visit, so that its dates are not over by then. */
interface SiteCalendar extends PublicImage {
  seed?: string | object;
  /** That of the site that it is a copy of. */
  namespace?: string;
}

async function writeFolder(session: Session, name: string, options: BuildOptions): Promise<void> {
  const folder = resolve(session.terminal.cwd, name);
  checkSiteFolder(folder, Boolean(options.force));
  const program = programIn(session.terminal);
  const calendar = await calendarOf(session, options);
  const { webPage } = await import('../../web/page.ts');
  const { files: assets } = await webPage();
  const site = {
    options: optionsOf(session, options, calendar),
    data: calendar.hash,
    assets: assets.map(({ name }) => name),
    seed: options.seed,
  };
  const others = writeSite(folder, filesOf(site, calendar, assets, program));
  for (const line of typeof calendar.seed === 'string' ? [] : noticesOf(calendar)) await session.tell(`calendar: ${line}`);
  if (others.length) await session.tell(`calendar: Kept ${others.join(' and ')}. The page of the calendar is at _calendar/page/`);
  await session.print(`${folder}\n`);
}

interface Program {
  script: Buffer;
  wasm: Buffer;
}

/** The web build, which is beside the bundle in the package. Throws `not-found` where it is missing. */
function programIn({ self }: Terminal): Program {
  const script = self?.at(-1) ?? '';
  const folder = dirname(existsSync(script) ? realpathSync(script) : script);
  const place = [join(folder, 'web'), join(folder, '..', 'dist', 'web')].find((each) => existsSync(join(each, 'single.mjs')));
  if (place === undefined)
    throw new Failure(
      'not-found',
      `${join(folder, 'web')} is missing: a static site needs more files of the package than this one`,
      'Run the calendar of the installed package, which has them: npx calendar build.',
    );
  return { script: readFileSync(join(place, 'single.mjs')), wasm: readFileSync(join(place, 'sqlite.wasm')) };
}

/** The calendar of the file, or in memory that of the seed. */
async function calendarOf(session: Session, { seed }: BuildOptions): Promise<SiteCalendar> {
  const { globals, terminal } = session;
  if (seed !== undefined && globals.db !== undefined) throw new Failure('bad-request', 'Use either --seed or --db, not both');
  const { store, close } = await (seed === undefined ? readStore(globals, terminal) : openTarget(':memory:', globals, terminal, 'write'));
  try {
    const document = seed === undefined ? undefined : await filledFrom(store, seed, session);
    const namespace = SiteState.all(store.db).find((site) => site.namespace !== null)?.namespace ?? undefined;
    return { ...(await publicImage(store)), namespace, ...document };
  } finally {
    await close();
  }
}

/** Fills a calendar in memory from a seed. Returns the seed if browsers can do the same, and the hash of its content. */
async function filledFrom(store: Store, seed: string, session: Session): Promise<Pick<SiteCalendar, 'seed' | 'hash'> | undefined> {
  const [{ fill, putSettings }, { documentNamed }, { opensFor }] = await Promise.all([
    import('../../data/initial-state.ts'),
    import('../../data/seeds.ts'),
    import('../connect/operate.ts'),
  ]);
  const document = isSeed(seed) ? seed : ((await documentNamed(seed, opensFor(session))).document as object);
  await fill(store, document, {}, { name: seed });
  const zone = zoneOption(session.globals, session.terminal);
  if (zone !== undefined) await putSettings(store, { timezone: zone });
  const isFile = typeof document === 'object' && 'base64' in document;
  if (isFile || (await projectConfig(session.terminal))?.fields) return undefined;
  const from = typeof document === 'object' ? publicFixture(document) : document;
  return { seed: from, hash: contentHash(JSON.stringify([from, zone])) };
}

/** The options of the calendar in a browser. */
function optionsOf({ globals, terminal }: Session, options: BuildOptions, { namespace, seed }: SiteCalendar) {
  const { basePath, delay, fail = [] } = options;
  const hasNow = globals.now !== undefined || variable(terminal, 'CALENDAR_NOW') !== undefined;
  const faults = [...(delay === undefined ? [] : [{ delay }]), ...fail];
  const zone = zoneOption(globals, terminal);
  const plain = {
    ...Object.fromEntries(siteOptions.map((name) => [name, options[name]])),
    // The folder of the site is where it is published.
    basePath: basePath.slice(folderOf(basePath).length),
    namespace: plainNamespace(
      globals.namespace ?? namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? options.namespace ?? defaultServing.namespace,
    ),
  };
  checkServed({ ...defaultServing, ...plain } as Parameters<typeof checkServed>[0]);
  return {
    ...plain,
    ...(faults.length ? { faults } : {}),
    ...(hasNow ? { now: new Date(clockOf(terminal, globals.now)()).toISOString() } : {}),
    ...(seed !== undefined && zone !== undefined ? { timezone: zone } : {}),
    ...(typeof seed === 'string' ? { seed } : {}),
  };
}

const hashOf = (content: string | Uint8Array): string => contentHash(content).slice(0, 16);

/** The files of a site. Those that its worker asks for have a hash in their names, and its script comes last: it makes them current. */
function filesOf(site: object, { seed, bytes }: SiteCalendar, assets: readonly PageFile[], { script, wasm }: Program): SiteFile[] {
  const hashed = (name: string, ending: string, content: string | Uint8Array) => ({
    name: `${name}-${hashOf(content)}.${ending}`,
    content,
  });
  const program = hashed('calendar', 'js', script);
  const sqlite = hashed('sqlite', 'wasm', wasm);
  const data = typeof seed === 'string' ? [] : [seed ? hashed('calendar', 'json', JSON.stringify(seed)) : hashed('calendar', 'db', bytes)];
  const configuration = {
    ...site,
    ...(typeof seed === 'string' ? {} : { calendar: data[0]!.name }),
    wasm: sqlite.name,
  };
  const version = hashOf(JSON.stringify([configuration, program.name]));
  const first = firstPage((text) => createHash('sha256').update(text).digest('base64'));
  const worker = `import { serveSite } from './${siteFilesFolder}/${program.name}';\nserveSite(${JSON.stringify({ version, ...configuration })});\n`;
  return [
    ...[...assets.map(({ name, bytes }) => ({ name, content: bytes })), program, sqlite, ...data].map(({ name, content }) => ({
      path: `${siteFilesFolder}/${name}`,
      content,
    })),
    // GitHub Pages would not serve all files otherwise.
    { path: '.nojekyll', content: '' },
    { path: 'index.html', content: first, yields: true },
    { path: '404.html', content: first, yields: true },
    { path: workerName, content: worker },
  ];
}

/** Notes on the content, which the author of a site has to know. */
const noticesOf = ({ users, hidden, uploads }: PublicImage): string[] => [
  ...(users === 0 ? [] : [`Left out ${counted(users, 'user')}: everyone may read and change everything in their own copy`]),
  ...(hidden === 0
    ? []
    : [
        `The site contains ${counted(hidden, 'record')} that visitors do not see on a live site: drafts, private, scheduled and protected ones, and the trash`,
      ]),
  ...(uploads === 0 ? [] : [`Left out the files of ${counted(uploads, 'uploaded image')}`]),
];
