import { randomBytes } from 'node:crypto';
import project from '../../package.json' with { type: 'json' };
import { Failure } from '../model/error.ts';
import type { CalendarControl } from '../model/operations/all.ts';
import type { ControlledCalendar } from './calendar.ts';
import { placeOf, toldAt } from './guarded.ts';
import type { OptionChecks } from './options.ts';

/** How a calendar on a server is asked. */
export interface ConnectOptions {
  /** Who asks, where the calendar has users. */
  user?: { name: string; password: string };
  /** What lets one control the server, where it was started with a token for that. */
  controlToken?: string;
  /** The namespace of the API, where the address does not end with one and it is not the usual one. */
  namespace?: string;
  /** Milliseconds for a request and all that it takes; an operation on the whole calendar has ten minutes unless told. */
  timeout?: number;
}

/** Milliseconds that a server has for an operation, which can be an import of everything there is. */
const longTimeout = 600_000;

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const checks: OptionChecks<ConnectOptions> = {
  user: [
    (value) => isText((value as ConnectOptions['user'])?.name) && typeof (value as ConnectOptions['user'])?.password === 'string',
    'an object with name and password',
  ],
  controlToken: [isText, 'a text that is not empty'],
  namespace: [isText, 'a text that is not empty'],
  timeout: [(value) => typeof value === 'number' && value > 0 && value < 2 ** 31, 'a number of milliseconds'],
};

/**
 * A calendar on a server, by the address of its API or of its server: the same face as that of {@link createCalendar}. Nothing is sent before it is asked for something. Records can be had from any server of this API;
 * what concerns the calendar as a whole needs a server of this program that lets us control it.
 */
export async function connectCalendar(address: string | URL, options: ConnectOptions = {}): Promise<ControlledCalendar> {
  return toldAt(placeOf(connectCalendar), () => connected(address, options));
}

async function connected(address: string | URL, options: ConnectOptions): Promise<ControlledCalendar> {
  const text = String(address);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Failure('bad-request', `not the address of a calendar: ${JSON.stringify(text)}`, {}, 'Give one like http://127.0.0.1:8787.');
  const [{ controlAt }, { basic, connectTo, rootOf }, { transportOf }, { faceOf }, { addressAt }, { transportHere }, { checkedOptions }] =
    await Promise.all([
      import('../client/control.ts'),
      import('../client/remote.ts'),
      import('../client/transport.ts'),
      import('./face.ts'),
      import('./fetch.ts'),
      import('./transport.ts'),
      import('./options.ts'),
    ]);
  const { user, controlToken, namespace, timeout } = checkedOptions('connectCalendar', options, checks);
  const url = rootOf(text, namespace);
  const authorization = user && basic(user);
  const remote = connectTo(url, authorization, transportHere(timeout), namespace);
  const transport = transportOf(transportHere(timeout ?? longTimeout));
  const control = controlAt(new URL(url).origin, controlToken, transport);
  return faceOf({
    url,
    calendar: remote.calendar,
    control,
    async fetch(input, init) {
      const request = new Request(addressAt(url, input), typeof input === 'object' && 'headers' in input ? new Request(input, init) : init);
      if (authorization !== undefined && !request.headers.has('authorization')) request.headers.set('authorization', authorization);
      return fetch(request);
    },
    fork: () => copyOf(control, url),
    async close() {
      await Promise.all([remote.close(), transport.close()]);
    },
  });
}

/** A copy of the calendar at a server, served from this process. Fails with `conflict` where the server is of another version, whose files may differ. */
async function copyOf(control: CalendarControl, url: string): Promise<ControlledCalendar> {
  const { version, clock } = await control.health();
  if (version !== project.version)
    throw new Failure(
      'conflict',
      `the server is of version ${version}, and this is ${project.version}: a copy of its file cannot be opened here`,
    );
  const name = `fork-${randomBytes(6).toString('hex')}`;
  await control.saveSnapshot({ name });
  try {
    const [bytes, { serveCopy }] = await Promise.all([control.snapshotFile({ name }), import('./serve.ts')]);
    const path = new URL(url).pathname.split('/');
    const { frozen, ahead } = clock;
    return await serveCopy(bytes, {
      namespace: path.slice(-3).join('/'),
      basePath: path.slice(0, -3).join('/'),
      ...(frozen ? { now: Date.parse(clock.now), system: Date.now } : { system: () => Date.now() + ahead }),
    });
  } finally {
    await control.deleteSnapshot({ name });
  }
}
