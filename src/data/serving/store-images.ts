import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import type { WorldInput } from '../../model/operations/worlds.ts';
import type { Row } from '../../model/record.ts';
import { readInstant } from '../../model/time/time.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import { putUsers, usersOf } from '../users.ts';
import { imageNamed, putRows } from '../world/reset.ts';
import type { World } from '../world/world.ts';
import { openStore } from '../world/world.ts';
import type { ServingOptions } from './options.ts';

/** Maximum number of images that are kept for further worlds. */
const maxImages = 8;

/** The initial states of worlds. Those of seeds are kept, because creating a world from an image takes a tenth of the time. */
export class StoreImages {
  readonly #images = new Map<string, StoreImage>();
  /** The users of the server at its start, which each world has that names none. */
  readonly #users: readonly Row[];

  /** Snapshots and the start are those of `host`. */
  constructor(
    private readonly host: World,
    private readonly options: ServingOptions,
  ) {
    this.#users = host.store.db.all<Row>('select * from users');
  }

  /** The state that a world starts with, by its clock. Throws `not-found` for an unknown name. */
  async imageFor(input: WorldInput, now: number | undefined): Promise<StoreImage> {
    const { from = 'start', settings, users } = input;
    const seed = typeof from === 'string' ? await this.#seedNamed(from) : { name: 'the fixture', document: from };
    const base = seed ? 'empty' : (from as string);
    const inherits = base === 'empty' && !users && this.#users.length > 0;
    if (!seed && !settings && !users && !inherits) return imageNamed(this.host.store, this.host.start, base);
    // What a seed contains depends on the time, while a clock runs on its minute, and a snapshot can be replaced.
    const key =
      (seed || base === 'empty') && JSON.stringify([now ?? `minute ${Math.floor(this.options.system() / 60_000)}`, from, settings, users]);
    const cached = key === false ? undefined : this.#images.get(key);
    if (cached) return cached;
    const image = await this.#fill(await imageNamed(this.host.store, this.host.start, base), seed, input, now);
    if (key === false) return image;
    if (this.#images.size >= maxImages) this.#images.delete(this.#images.keys().next().value!);
    this.#images.set(key, image);
    return image;
  }

  /** A built-in seed, unless a snapshot has its name. */
  async #seedNamed(name: string): Promise<{ name: string; document: unknown } | undefined> {
    const { isSeed, seedNamed } = await import('../seeds.ts');
    const isSnapshot = this.host.store.snapshots.list().some((each) => each.name === name);
    return isSeed(name) && !isSnapshot ? seedNamed(name) : undefined;
  }

  async #fill(
    image: StoreImage,
    seed: { name: string; document: unknown } | undefined,
    { settings, users }: WorldInput,
    now: number | undefined,
  ): Promise<StoreImage> {
    const { system } = this.options;
    const store = await openStore({ ...this.options, file: undefined, readOnly: false, image, settings: {} }, () => now ?? system());
    const save = () =>
      settings &&
      store.change((local) => {
        for (const [name, value] of Object.entries(settings)) local.settings.set(name, value);
      });
    try {
      await save();
      if (users) {
        await store.change((local) => {
          for (const { name } of local.users.list()) local.users.remove(name);
        });
        await putUsers(store, await usersOf(users));
      } else if (store.users.any === false && !namesUsers(seed?.document)) store.db.change(() => putRows(store, 'users', this.#users));
      if (seed) await (await import('../seed.ts')).seed(store, seed, 'append');
      // The input overrides the settings of the fixture.
      await save();
      return store.image();
    } finally {
      await store.close();
    }
  }
}

/** True for a fixture with its own users. */
const namesUsers = (document: unknown): boolean => isObject(document) && document.users !== undefined;

/** The instant at which the clock of a world is stopped; without an offset it is in its time zone. Throws `bad-request`. */
export function instantFor({ now, settings }: WorldInput, zone: string): number | undefined {
  if (now === undefined) return undefined;
  const instant = readInstant(now, settings?.timezone ?? zone);
  if (instant !== undefined) return instant;
  throw new Failure('bad-request', `Invalid now ${JSON.stringify(now)}`, 'Write it like 2027-03-01T09:00:00Z.');
}
