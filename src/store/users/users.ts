import { createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Failure } from '../../model/error.ts';
import { type NewUser, type Role, roles, type User, type UserChange, type Viewer } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { LoginThrottle } from './login-throttle.ts';

/** scrypt's cost: 2^14 blocks of 8, the least that is recommended for logins; a dev server checks one with every request. */
const cost = { N: 16384, r: 8, p: 1 };
const length = 32;
const inBackground = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
const hash = (password: string, salt: Buffer) => inBackground(password.normalize('NFC'), salt, length, cost);

/** A hash as it is stored: `scrypt:SALT:HASH`, both in base64. */
const stored = (salt: Buffer, hashed: Buffer) => `scrypt:${salt.toString('base64')}:${hashed.toString('base64')}`;

/** A password as it is stored, computed while other things go on. */
export async function hashed(password: string): Promise<string> {
  const salt = randomBytes(16);
  return stored(salt, await hash(password, salt));
}

/** The same at once, inside of a change: some tens of milliseconds. */
function hashedNow(password: string): string {
  const salt = randomBytes(16);
  return stored(salt, scryptSync(password.normalize('NFC'), salt, length, cost));
}

async function matches(password: string, hashed: string): Promise<boolean> {
  const [, salt = '', expected = ''] = hashed.split(':');
  const wanted = Buffer.from(expected, 'base64');
  const found = await hash(password, Buffer.from(salt, 'base64'));
  return wanted.length === length && timingSafeEqual(found, wanted);
}

const userNotFound = (name: string) => new Failure('user-not-found', `User ${JSON.stringify(name)} not found`);

/** Fails for a role that there is not, and for an empty password. */
function check(name: string, role: Role, password: string): void {
  if (!roles.includes(role)) throw new Failure('bad-request', `Invalid role ${JSON.stringify(role)}: must be one of ${roles.join(', ')}`);
  if (!password) throw new Failure('bad-request', `The password of user ${JSON.stringify(name)} must not be empty`);
}

const viewerOf = ({ id, name, role }: User): Viewer => ({ id, name, role });

/** The users of a calendar. While there are none, whoever calls may do everything. */
export class Users {
  readonly #db: Database;
  readonly #guesses: LoginThrottle;
  /** Of names and passwords that were right, by their keyed hash, what was stored of the password: each costs its own hash once, and none stays in memory. */
  readonly #known = new Map<string, string>();
  readonly #key = randomBytes(32);
  /** What the password of a name that does not exist is compared with, so that it takes as long. */
  readonly #nobody = stored(randomBytes(16), randomBytes(length));

  /** `clock` gives milliseconds for the slowing of guesses; the process's own unless told. */
  constructor(db: Database, clock = () => performance.now()) {
    this.#db = db;
    this.#guesses = new LoginThrottle(clock);
  }

  list(): User[] {
    return this.#db.all<User>('select id, name, role from users order by id');
  }

  /** Whether somebody must say who they are to do more than a visitor. */
  get any(): boolean {
    return this.#db.get('select 1 from users limit 1') !== undefined;
  }

  has(id: number): boolean {
    return this.#db.get('select 1 from users where id = ?', id) !== undefined;
  }

  /** Adds a user; fails when the name or the ID is taken. `secret` is the password as {@link hashed} gives it, where that is there already. */
  add({ id, name, role, password }: NewUser, secret?: string): User {
    if (!/^\S{1,60}$/.test(name) || name.includes(':'))
      throw new Failure('bad-request', `Invalid user name ${JSON.stringify(name)}: must be 1 to 60 characters without spaces or colons`);
    check(name, role, password);
    if (this.#db.get('select 1 from users where name = ? or id = ?', name, id ?? 0))
      throw new Failure('user-exists', `User ${JSON.stringify(name)} already exists`);
    const { lastId } = this.#db.run(
      'insert into users (id, name, role, password) values (?, ?, ?, ?)',
      id ?? null,
      name,
      role,
      secret ?? hashedNow(password),
    );
    return { id: lastId, name, role };
  }

  /** Gives a user another password, another role, or both; fails when there is no such user. `secret` is as in {@link Users.add}. */
  change({ name, role, password }: UserChange, secret?: string): User {
    const before = this.#row(name);
    if (!before) throw userNotFound(name);
    check(name, role ?? before.role, password ?? 'as before');
    const next = { role: role ?? before.role, password: password === undefined ? before.password : (secret ?? hashedNow(password)) };
    this.#db.run('update users set role = ?, password = ? where id = ?', next.role, next.password, before.id);
    return { id: before.id, name, role: next.role };
  }

  /** Takes a user away. What they wrote stays. */
  remove(name: string): void {
    if (!this.#db.run('delete from users where name = ?', name).changes) throw userNotFound(name);
  }

  /**
   * Who stands behind a name and a password: at once where they were right before, else when the password is hashed. Fails with `invalid_username` or
   * `incorrect_password`; and where `place` says from where they came, with `too-many-attempts` after many wrong ones from there.
   */
  authenticate(name: string, password: string, place?: string): Viewer | Promise<Viewer> {
    const key = createHmac('sha256', this.#key).update(`${name}\0${password}`).digest('base64');
    const row = this.#row(name);
    return row && this.#known.get(key) === row.password ? viewerOf(row) : this.#verified(name, password, place, key);
  }

  /** Forgets the wrong passwords that were tried. */
  resetLoginThrottle(): void {
    this.#guesses.clear();
  }

  async #verified(name: string, password: string, place: string | undefined, key: string): Promise<Viewer> {
    const giveBack = place === undefined ? undefined : this.#guesses.take(place, name);
    const secret = this.#row(name)?.password;
    const right = await matches(password, secret ?? this.#nobody);
    if (secret === undefined) throw new Failure('invalid_username', `Unknown user ${JSON.stringify(name)}`);
    // Users may have changed meanwhile.
    const row = this.#row(name);
    if (!right || row?.password !== secret) throw new Failure('incorrect_password', `Incorrect password for user ${JSON.stringify(name)}`);
    giveBack?.();
    if (this.#known.size < 1000) this.#known.set(key, secret);
    return viewerOf(row);
  }

  #row(name: string): (User & { password: string }) | undefined {
    return this.#db.get<User & { password: string }>('select * from users where name = ?', name);
  }
}
