import { Failure } from '../../model/error.ts';
import type { WorldInput } from '../../model/operation-types.ts';
import { isSeed } from '../../model/operations/formats.ts';
import type { Row } from '../../model/record.ts';
import { readInstant } from '../../model/time/time.ts';
import type { Store } from '../../store/calendar.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { fill, putSettings } from '../initial-state.ts';
import { listedUsers } from '../users.ts';
import { imageNamed, putRows } from '../world/reset.ts';
import type { World } from '../world/world.ts';
import { openStore } from '../world/world.ts';
import type { ServingOptions } from './options.ts';

/** Maximum number of images that are kept for further worlds. */
const maxImages = 8;

/** The initial states of worlds. Those of seeds are kept, because creating a world from an image takes a tenth of the time. */
export class StoreImages {
  readonly #images = new Map<string, StoreImage>();
  /** Images with the users of worlds, by the image without them and by these users. */
  readonly #withUsers = new WeakMap<StoreImage, Map<string, StoreImage>>();
  /** The users of the server at its start, which each world has that names none. */
  readonly #users: readonly Row[];

  /** Snapshots and the start are those of `host`, or of a world that `worldOf` finds by its ID. */
  constructor(
    private readonly host: World,
    private readonly options: ServingOptions,
    private readonly worldOf: (id: string) => World | undefined,
  ) {
    this.#users = host.store.db.all<Row>('select * from users');
  }

  /** The state that a world starts with, by its clock. Throws `not-found` for an unknown name. */
  async imageFor(input: WorldInput, now: number | undefined): Promise<StoreImage> {
    const { from = 'start', settings } = input;
    const seed = this.#seedIn(from);
    const [, id, ofWorld] = (!seed && /^([^/]+)\/(.+)$/.exec(from as string)) || [];
    const world = id === undefined ? undefined : this.worldOf(id);
    const base = seed ? 'empty' : world ? ofWorld! : (from as string);
    const { store, start } = world ?? this.host;
    if (!seed && !settings) return imageNamed(store, start, base);
    // What a seed contains depends on the time, while a clock runs on its minute, and a snapshot can be replaced.
    const key =
      (seed || base === 'empty') && JSON.stringify([now ?? `minute ${Math.floor(this.options.system() / 60_000)}`, from, settings]);
    const cached = key === false ? undefined : this.#images.get(key);
    if (cached) return cached;
    const image = await this.#fill(await imageNamed(store, start, base), seed, settings, now);
    if (key === false) return image;
    if (this.#images.size >= maxImages) this.#images.delete(this.#images.keys().next().value!);
    this.#images.set(key, image);
    return image;
  }

  /** A state with the users of a world, if an earlier world had the same; undefined for none. */
  withUsers(image: StoreImage, input: WorldInput): StoreImage | undefined {
    return this.#withUsers.get(image)?.get(usersKey(input));
  }

  /** Keeps an image with the users of a world for further worlds. */
  keepUsers(image: StoreImage, input: WorldInput, withUsers: StoreImage): void {
    const images = this.#withUsers.get(image) ?? new Map<string, StoreImage>();
    if (images.size < maxImages) this.#withUsers.set(image, images.set(usersKey(input), withUsers));
  }

  /** Adds the users of a world to the state that it starts with: its own ones replace all others, and those of the server are in what starts without. */
  async addUsers(store: Store, { from = 'start', users }: WorldInput): Promise<void> {
    if (users) {
      const added = listedUsers(users);
      store.db.change(() => {
        for (const { name } of store.users.list()) store.users.remove(name);
        for (const user of added) store.users.add(user);
      });
    } else if (this.#users.length && (typeof from === 'object' ? !('users' in from) : from === 'empty' || this.#seedIn(from)))
      store.db.change(() => putRows(store, 'users', this.#users));
  }

  /** The seed of a world: a fixture, a file, or the name of a built-in one that no snapshot has. */
  #seedIn(from: string | object): string | object | undefined {
    const isSnapshot = this.host.store.snapshots.list().some((each) => each.name === from);
    return typeof from === 'object' || (isSeed(from) && !isSnapshot) ? from : undefined;
  }

  async #fill(
    image: StoreImage,
    seed: string | object | undefined,
    settings: WorldInput['settings'],
    now: number | undefined,
  ): Promise<StoreImage> {
    const { system } = this.options;
    const store = await openStore({ ...this.options, file: undefined, readOnly: false, image, settings: {} }, () => now ?? system());
    try {
      if (seed) await fill(store, seed, settings);
      else if (settings) await putSettings(store, settings);
      return store.image();
    } finally {
      await store.close();
    }
  }
}

/** An event that is due at another time makes another image. */
const usersKey = ({ users, now }: WorldInput): string => JSON.stringify([users, now]);

/** The instant at which the clock of a world is stopped; without an offset it is in its time zone. Throws `bad-request`. */
export function instantFor({ now, settings }: WorldInput, zone: string): number | undefined {
  if (now === undefined) return undefined;
  const instant = readInstant(now, String(settings?.timezone ?? zone));
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `Invalid now ${JSON.stringify(now)}`, 'Write it like 2027-03-01T09:00:00Z.');
}
