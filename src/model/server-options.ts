import { extensions } from './context.ts';
import { defaultMaxUpload } from './images/image.ts';
import { connectionFaults, siteFaultNames } from './operations/connection-faults.ts';
import { delayForms } from './operations/fault-line.ts';
import { defaultBodyBytes, defaultJournalSize, maxBodyBytes, maxJournalSize } from './operations/requests.ts';
import { namespace } from './routes.ts';
import type { ServerOptions } from './server-option-types.ts';

/** An option of a server. */
export interface ServerOption {
  /** The form of its value. A `value` is parsed and checked where it is used. */
  kind: 'switch' | 'text' | 'number' | 'time' | 'list' | 'value';
  /** Where it applies: to the command line and `createCalendar` by default. A `global` one is an option of every command. */
  of?: 'global' | 'command' | 'library';
  /** Its flag, where the command line has another word for it than TypeScript. */
  flag?: string;
  /** Description in help, in the docs and on hover. */
  about: string;
  /** Name of the value in help. */
  placeholder?: string;
  example?: string;
  default?: string | number | boolean;
  min?: number;
  max?: number;
  /** All valid values, or all valid items of a list. */
  choices?: readonly string[];
  /** True if an empty text is valid. */
  mayBeEmpty?: boolean;
  /** True if `serve --help` lists it without `--all`. */
  isBasic?: boolean;
  /** True if the routes, headers and records of the API depend on it, as those of a site do. */
  isShape?: boolean;
  /** True if a project's file may not set it: it runs code, or is a secret. */
  isWithheld?: boolean;
  /** True if it needs files, sockets or other sites, which only Node has. */
  needsNode?: boolean;
  /** A second sentence for the docs and hover. */
  more?: string;
  /** Page of the docs about it. */
  page?: string;
  /** Default of the input of the GitHub action, which has inputs for these options. */
  action?: string;
}

/** Options of a server of which some are given, without those that have another form in it. */
export type GivenOptions<Name extends keyof ServerOptions> = Omit<ServerOptions, Name | 'control' | 'page' | 'pull'> &
  Required<Pick<ServerOptions, Name>>;

/** Largest body that a server can be told to accept, in bytes. */
const maxBytes = 1_073_741_824;

/** Every option of a server by its name: `basePath` of `createCalendar` is `--base-path` of `serve` and `exec`. */
export const serverOptions = {
  file: {
    kind: 'text',
    of: 'global',
    flag: '--db',
    about: 'Database file',
    example: 'calendar.db',
    more: 'In memory by default in `createCalendar`',
    needsNode: true,
  },
  memory: { kind: 'switch', of: 'command', about: 'Keep the calendar in memory only', isBasic: true },
  host: { kind: 'text', placeholder: 'address', about: 'Address to listen on', default: '127.0.0.1', isBasic: true, needsNode: true },
  port: {
    kind: 'number',
    placeholder: 'n',
    max: 65_535,
    about: 'Port to listen on; 0 picks a free port',
    more: '`serve` takes 8787 or PORT by default, `exec` and `createCalendar` any free port',
    isBasic: true,
    action: '0',
    needsNode: true,
  },
  tlsCert: {
    kind: 'text',
    placeholder: 'file',
    about: 'Certificate for HTTPS, in PEM format (requires --tls-key)',
    page: 'https.md',
    needsNode: true,
  },
  tlsKey: { kind: 'text', placeholder: 'file', about: 'Private key of the certificate, in PEM format', page: 'https.md', needsNode: true },
  listen: {
    kind: 'switch',
    of: 'library',
    about: 'Listen on a port. With false, requests come through `fetch`, `handler` or the dev server that mounts the calendar',
    default: true,
    needsNode: true,
  },
  seed: {
    kind: 'value',
    placeholder: 'seed',
    about: 'Load a seed or a file into an empty calendar',
    more: '`minimal`, `demo`, `shapes`, `conference`, `edge-cases`, or the path or URL of a fixture or of another file that `calendar import` reads; `createCalendar` also takes a fixture',
    isBasic: true,
    page: 'fixtures.md',
    action: 'demo',
  },
  image: {
    kind: 'value',
    of: 'library',
    about: 'Start with the state in the bytes of a snapshot',
    more: 'In memory, and not with `seed` or `pull`',
    page: 'typescript.md',
  },
  pull: {
    kind: 'text',
    placeholder: 'url',
    about: 'Copy this site, and serve the copy',
    example: 'https://example.org/wp-json',
    more: 'Requests wait until an empty calendar has its records',
    page: 'live-site.md',
    needsNode: true,
  },
  every: {
    kind: 'time',
    placeholder: 'time',
    about: 'Pull again and again at this interval, e.g. 5m (default: once)',
    page: 'live-site.md',
    needsNode: true,
  },
  watch: { kind: 'switch', of: 'command', about: 'Reload the fixture of --seed when it changes (requires --memory)' },
  now: { kind: 'value', of: 'global', about: 'Stop the clock at an instant', example: '2027-03-01T09:00Z', page: 'clock.md' },
  timezone: {
    kind: 'value',
    placeholder: 'zone',
    about: 'Time zone of the calendar (default UTC)',
    example: 'Europe/Paris',
    isBasic: true,
    isShape: true,
  },
  config: {
    kind: 'switch',
    of: 'library',
    about: 'Take the shape of a site from `serve` in the nearest `calendar.config.json`',
    more: 'That is `namespace`, `basePath`, `headerPrefix`, `taxonomy`, `timezone` and `without`; other options override it. `useCalendar` and `calendarTest` take it without this option',
    page: 'configuration.md',
    needsNode: true,
  },
  settings: { kind: 'value', of: 'library', about: 'Initial settings', example: "{ title: 'Our town' }" },
  users: {
    kind: 'value',
    placeholder: 'file',
    about: 'JSON file of users, or roles',
    more: '`roles` makes one user of each role, whose name and password is the role, in memory and on loopback only; `createCalendar` also takes a list or a map by name',
    isBasic: true,
    page: 'users.md',
  },
  basePath: {
    kind: 'text',
    placeholder: 'path',
    about: 'Path before the namespace',
    example: '/wp-json',
    more: 'With `/blog/wp-json`, the site is in the folder `/blog`: its pages, feeds and images too',
    default: '',
    mayBeEmpty: true,
    isBasic: true,
    isShape: true,
  },
  namespace: { kind: 'text', of: 'global', about: 'Path of the API below the base path', default: namespace, isShape: true },
  taxonomy: { kind: 'text', placeholder: 'name', about: 'Taxonomy of categories (default: follows the namespace)', isShape: true },
  headerPrefix: { kind: 'text', placeholder: 'name', about: 'Prefix of response headers', default: 'X-Calendar', isShape: true },
  without: {
    kind: 'list',
    placeholder: 'parts',
    choices: extensions,
    about: `Features to disable: ${extensions.join(', ')}`,
    isShape: true,
  },
  strict: {
    kind: 'switch',
    choices: ['names'],
    about: "Reject a client's mistakes in names and values",
    more: "By default a hint in a header names them. `'names'` (`--strict-names`) rejects unknown query parameters and fields only",
    page: 'mistakes.md',
  },
  hints: {
    kind: 'switch',
    about: 'Report what a client does that a site would answer differently',
    default: true,
    page: 'mistakes.md',
  },
  coverage: {
    kind: 'switch',
    about: 'Note what clients meet of all that a site can send',
    more: '`exec` and the server of a run print it at their end',
    page: 'requests.md#coverage',
  },
  anonymous: { kind: 'switch', about: 'Report no requests without credentials that a site rejects', page: 'mistakes.md' },
  partialUpdates: { kind: 'switch', about: 'Report no updates that leave out what a site resets', page: 'mistakes.md' },
  readOnly: { kind: 'switch', about: 'Reject all changes', more: 'A file is shown as it is at this moment' },
  cors: {
    kind: 'list',
    placeholder: 'origins',
    about: 'Origins that may call the API, or * (default: this machine)',
    example: 'https://app.example.org',
    isBasic: true,
    page: 'security.md',
  },
  publicUrl: {
    kind: 'text',
    placeholder: 'url',
    about: 'Origin by which clients reach the server through a proxy',
    example: 'https://shop.test',
    more: 'Links start with it; the folder of the site is in --base-path. Of a file, the default is the setting `home`',
    page: 'proxies.md',
  },
  allowHosts: {
    kind: 'list',
    flag: '--allow-host',
    placeholder: 'names',
    about: 'Names by which clients may call a local server',
    example: '10.0.2.2',
    more: 'Those of this machine need no option',
    page: 'security.md',
  },
  control: {
    kind: 'switch',
    about: 'Allow reset, seed and import through the control API, as with a calendar in memory',
    more: 'Every caller may use them then, in `createCalendar` also through `handler`',
    page: 'control.md',
  },
  controlToken: {
    kind: 'text',
    placeholder: 'token',
    about: 'Require this token for the control API (env CALENDAR_CONTROL_TOKEN)',
    mayBeEmpty: true,
    isWithheld: true,
    page: 'control.md',
  },
  requireWorld: { kind: 'switch', about: 'Reject API requests that select no world', page: 'worlds.md' },
  maxWorlds: { kind: 'number', placeholder: 'n', min: 1, max: 100_000, about: 'Maximum number of worlds', default: 256, page: 'worlds.md' },
  worldTtl: {
    kind: 'time',
    placeholder: 'time',
    about: 'Delete worlds after this time without requests',
    default: '30m',
    page: 'worlds.md',
  },
  delay: {
    kind: 'value',
    of: 'command',
    placeholder: 'ms',
    about: `Delay responses, e.g. ${delayForms}`,
    isBasic: true,
    page: 'faults.md',
  },
  fail: {
    kind: 'value',
    of: 'command',
    placeholder: 'fault',
    choices: [...connectionFaults, ...siteFaultNames],
    about: `Make requests fail, e.g. 503:10% or reset:5% (repeatable): a status, ${connectionFaults.join(', ')}, or ${siteFaultNames.join(', ')}`,
    isBasic: true,
    page: 'faults.md',
  },
  faults: {
    kind: 'value',
    of: 'library',
    about: 'Faults that are active from the start, and after each reset',
    example: '[{ delay: 200 }]',
    page: 'faults.md',
  },
  hooks: {
    kind: 'value',
    flag: '--require',
    placeholder: 'file',
    about: 'Module with the hooks request, response and change',
    more: '`createCalendar` takes an object with these functions',
    isWithheld: true,
    page: 'hooks.md',
  },
  media: {
    kind: 'text',
    placeholder: 'folder',
    about: 'Store uploaded images in this folder (default: uploads are rejected)',
    page: 'images.md',
    needsNode: true,
  },
  maxUpload: {
    kind: 'number',
    placeholder: 'bytes',
    max: maxBytes,
    about: 'Maximum size of an uploaded image in bytes',
    default: defaultMaxUpload,
    page: 'images.md',
  },
  compress: { kind: 'switch', about: 'Compress responses to clients on this machine too, as to those on others', needsNode: true },
  posters: { kind: 'switch', about: 'Draw a picture for each record without an image', page: 'images.md' },
  maxBody: { kind: 'number', placeholder: 'bytes', max: maxBytes, about: 'Maximum size of a request body in bytes', default: 1_048_576 },
  journal: {
    kind: 'number',
    placeholder: 'n',
    min: 1,
    max: maxJournalSize,
    about: 'Number of requests that the log keeps',
    default: defaultJournalSize,
    page: 'requests.md',
  },
  journalBody: {
    kind: 'number',
    placeholder: 'bytes',
    max: maxBodyBytes,
    about: 'Maximum size of the part of a body that the request log keeps',
    default: defaultBodyBytes,
    page: 'requests.md',
  },
  durability: {
    kind: 'text',
    placeholder: 'level',
    choices: ['full', 'os', 'none'],
    about: 'When to acknowledge writes: after fsync (full), after write (os), or immediately (none)',
    default: 'full',
    page: 'storage.md',
    needsNode: true,
  },
  page: { kind: 'switch', about: 'Serve the web page', default: true, page: 'page.md', needsNode: true },
} as const satisfies Record<string, ServerOption>;

/** The options with their names. */
export const serverOptionRows: readonly (readonly [name: string, option: ServerOption])[] = Object.entries(serverOptions);

/** The flag of an option: `--base-path` for `basePath`, and `--no-page` for `page`, whose default is true. */
export const serverFlag = (name: string, { flag, default: value }: ServerOption): string =>
  flag ?? `--${value === true ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
