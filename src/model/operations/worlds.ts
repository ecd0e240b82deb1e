import { rolesOption } from '../viewer.ts';
import { seedForm } from './data.ts';
import { faultInput } from './faults.ts';
import { namedSchema, operation, schema } from './operation.ts';
import { strictness } from './server.ts';
import { settingValues } from './settings.ts';
import { count, time } from './summary.ts';
import { password, userName, userRole } from './users.ts';

/** True for the initial state of a world that is a file of its client: neither a name nor the snapshot of a world, like `my-test-0123456789abcdef/before`. */
export const isStateFile = (from: string): boolean =>
  /[/\\]|\.(json|ndjson|jsonl|csv|tsv|ics)$/i.test(from) && !/^([a-z\d-]+-)?[\da-f]{16}\/[^/\\]+$/.test(from);

const worldInput = namedSchema('WorldInput', 'Options of a new world', (z) =>
  z.strictObject({
    name: z.string().min(1).max(200).optional().describe('Name for people, like that of a test; part of the ID'),
    from: seedForm(z)
      .optional()
      .describe(
        'Initial state: start (default), empty, the name of a snapshot or a seed, WORLD/NAME for a snapshot of a world, a fixture, or the content of a file',
      ),
    now: z.string().optional().describe('Where its clock is stopped, like 2027-03-01T09:00:00Z'),
    ttl: time(z, 'ttl')
      .optional()
      .describe('Time after which it is deleted if it is unused, like 30m or in milliseconds; by the clock of the system'),
    settings: settingValues(z).optional().describe('Initial settings'),
    users: z
      .union([
        z.array(z.strictObject({ name: userName(z), role: userRole(z), password: password(z) })),
        z.record(z.string(), z.strictObject({ role: userRole(z), password: password(z) })),
        z.literal(rolesOption),
      ])
      .meta({ typeName: "UserList | 'roles'" })
      .optional()
      .describe('Users in place of those of the server: a list, a map by name, or `roles` for one of each role'),
    faults: z.array(faultInput(z)).optional().describe('Faults that are active from the start, and after each reset'),
    strict: strictness(z).optional().describe("Reject a client's mistakes: all of them, or those in names"),
    hints: z.boolean().optional().describe('False to report no mistakes of conduct'),
    anonymous: z.boolean().optional().describe('Report no requests without credentials'),
    partial_updates: z.boolean().optional().describe('Report no updates that leave out what a site resets'),
    required: z.boolean().optional().describe('From now on, reject API requests that select no world'),
  }),
);

const worldInfo = namedSchema('WorldInfo', 'A separate calendar on a server', (z) =>
  z
    .object({
      id: z.string().describe('ID of the world'),
      name: z.string().nullable().describe('Name for people; null without one'),
      url: z.string().describe('Address that its API starts with'),
      control: z.string().describe('Address that its control API starts with'),
      root: z.string().describe('Address of its pages'),
      header: z.string().describe('Header that selects it'),
      cookie: z.string().describe('Cookie that selects it'),
      created: z.iso.datetime().describe('Time of its creation, in UTC'),
      idle: z.number().min(0).describe('Seconds since it was last used'),
      requests: count(z).describe('Number of requests in its journal'),
    })
    .meta({ id: 'World' }),
);

const worldId = schema((z) => z.strictObject({ id: z.string().min(1).describe('ID of the world') }));

/** Worlds: separate calendars on one server, each with its own records, settings, users, clock, faults, journal and snapshots. */
export const worlds = {
  list: operation({
    id: 'worlds',
    method: 'GET',
    path: '/worlds',
    access: 'full',
    about: 'List the worlds of the server',
    unwrap: 'worlds',
    output: schema((z) => z.object({ worlds: z.array(worldInfo(z)).describe('The worlds of the server') })),
  }),
  create: operation({
    id: 'createWorld',
    method: 'POST',
    path: '/worlds',
    access: 'full',
    ofServer: true,
    changes: true,
    takesData: true,
    about: 'Create a world: a separate calendar on the same port',
    input: worldInput,
    output: worldInfo,
  }),
  get: operation({
    id: 'world',
    method: 'GET',
    path: '/worlds/{id}',
    access: 'full',
    about: 'Get a world',
    arg: 'id',
    input: worldId,
    output: worldInfo,
  }),
  delete: operation({
    id: 'deleteWorld',
    method: 'DELETE',
    path: '/worlds/{id}',
    access: 'full',
    ofServer: true,
    about: 'Delete a world and close its connections',
    arg: 'id',
    input: worldId,
    output: worldInfo,
  }),
};
