import { Failure } from '../../model/error.ts';
import { type NewUser, type Role, roles, type User, type UserChange, type Viewer } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { namesIn } from '../records/tables.ts';
import { hashPasswordSync, isPasswordOf, keyOf, unknownUser } from './password.ts';

/** The tables of records with authors. */
const postTables = namesIn('post');

const userNotFound = (name: string) => new Failure('user-not-found', `User ${JSON.stringify(name)} not found`);

/** Throws for an unknown role or an empty password. */
function check(name: string, role: Role, password: string): void {
  if (!roles.includes(role)) throw new Failure('bad-request', `Invalid role ${JSON.stringify(role)}: must be one of ${roles.join(', ')}`);
  if (!password) throw new Failure('bad-request', `The password of user ${JSON.stringify(name)} must not be empty`);
}

const viewerOf = ({ id, name, role }: User): Viewer => ({ id, name, role });

/** The users of a calendar. Without users, every caller has full access. */
export class Users {
  readonly #db: Database;
  readonly #throttle: LoginThrottle;
  /** Stored hashes by {@link keyOf} names and correct passwords, so that each pair is verified with scrypt only once. */
  readonly #verifiedPasswords = new Map<string, string>();

  /** `clock` returns monotonic milliseconds for the login throttle. */
  constructor(db: Database, clock = () => performance.now()) {
    this.#db = db;
    this.#throttle = new LoginThrottle(clock);
  }

  list(): User[] {
    return this.#db.all<User>('select id, name, role from users order by id');
  }

  /** True if there are users, so that visitors may only read. */
  get any(): boolean {
    return this.#db.get('select 1 from users limit 1') !== undefined;
  }

  has(id: number): boolean {
    return this.#db.get('select 1 from users where id = ?', id) !== undefined;
  }

  /** Adds a user. Throws if the name or the ID is taken. `secret` is the result of {@link hashPassword}, if it is available. */
  add({ id, name, role, password }: NewUser, secret?: string): User {
    if (!/^\S{1,60}$/.test(name) || name.includes(':'))
      throw new Failure('bad-request', `Invalid user name ${JSON.stringify(name)}: must be 1 to 60 characters without spaces or colons`);
    check(name, role, password);
    if (this.#db.get('select 1 from users where name = ? or id = ?', name, id ?? 0))
      throw new Failure('user-exists', `User ${JSON.stringify(name)} already exists`);
    const newId = id ?? this.#nextId();
    this.#checkOwner({ id: newId, role });
    this.#db.run(
      'insert into users (id, name, role, password) values (?, ?, ?, ?)',
      newId,
      name,
      role,
      secret ?? hashPasswordSync(password),
    );
    return { id: newId, name, role };
  }

  /** Changes the password or the role of a user. Throws if there is no such user. `secret` is as in {@link Users.add}. */
  change({ name, role, password }: UserChange, secret?: string): User {
    const before = this.#row(name);
    if (!before) throw userNotFound(name);
    check(name, role ?? before.role, password ?? 'as before');
    if (role !== undefined) this.#checkOwner({ id: before.id, role });
    const next = { role: role ?? before.role, password: password === undefined ? before.password : (secret ?? hashPasswordSync(password)) };
    this.#db.run('update users set role = ?, password = ? where id = ?', next.role, next.password, before.id);
    return { id: before.id, name, role: next.role };
  }

  /** Throws if the user with ID 1 would own records that were created without users: every seed has that author. */
  checkOwners(): void {
    const first = this.#db.get<User>('select id, role, name from users where id = 1');
    if (first) this.#checkOwner(first);
  }

  #checkOwner({ id, role }: Pick<User, 'id' | 'role'>): void {
    if (id !== 1 || role === 'administrator' || !this.#isAuthor(1)) return;
    throw new Failure(
      'conflict',
      `A user with ID 1 and the role ${role} would own the existing records, which have the author 1`,
      'Omit the ID, or use the role administrator.',
    );
  }

  #isAuthor(id: number): boolean {
    return postTables.some((table) => this.#db.get(`select 1 from ${table} where author = ? limit 1`, id) !== undefined);
  }

  /** Returns an ID that neither a user nor an author of records has: no new user owns existing records. ID 1 is the author of seeds. */
  #nextId(): number {
    const usedIds = ['select 1 as id', 'select max(id) from users', ...postTables.map((table) => `select max(author) from ${table}`)];
    return this.#db.get<{ id: number }>(`select max(id) + 1 as id from (${usedIds.join(' union all ')})`)!.id;
  }

  /** Removes a user. Their records stay. */
  remove(name: string): void {
    if (!this.#db.run('delete from users where name = ?', name)) throw userNotFound(name);
  }

  /**
   * Returns the user with a name and a password, immediately if they were verified before. Throws `invalid_username` or `incorrect_password`, and
   * `too-many-attempts` after many wrong ones from one peer.
   */
  authenticate(name: string, password: string, place?: string): Viewer | Promise<Viewer> {
    const key = keyOf(name, password);
    const row = this.#row(name);
    return row && this.#verifiedPasswords.get(key) === row.password ? viewerOf(row) : this.#verify(name, password, place, key);
  }

  resetLoginThrottle(): void {
    this.#throttle.clear();
  }

  async #verify(name: string, password: string, place: string | undefined, key: string): Promise<Viewer> {
    const returnAttempt = place === undefined ? undefined : this.#throttle.take(place, name);
    const secret = this.#row(name)?.password;
    const right = await isPasswordOf(password, secret ?? unknownUser);
    if (secret === undefined) throw new Failure('invalid_username', `Unknown user ${JSON.stringify(name)}`);
    // Users may have changed in the meantime.
    const row = this.#row(name);
    if (!right || row?.password !== secret) throw new Failure('incorrect_password', `Incorrect password for user ${JSON.stringify(name)}`);
    returnAttempt?.();
    if (this.#verifiedPasswords.size < 1000) this.#verifiedPasswords.set(key, secret);
    return viewerOf(row);
  }

  #row(name: string): (User & { password: string }) | undefined {
    return this.#db.get<User & { password: string }>('select * from users where name = ?', name);
  }
}

/** A token bucket: `burst` attempts at once, then one more every `intervalMs`. */
interface Allowance {
  burst: number;
  intervalMs: number;
}

/** Limits per name and peer, and per peer. */
const perName: Allowance = { burst: 10, intervalMs: 6000 };
const perPlace: Allowance = { burst: 60, intervalMs: 1000 };

/** Maximum number of tracked names and peers. The least recently used are dropped. */
export const maxTrackedLogins = 10_000;

/** Limits password attempts per peer, and per peer and name. Attempts from elsewhere don't lock out a user. `clock` returns monotonic milliseconds. */
export class LoginThrottle {
  readonly #clock: () => number;
  /** When the last used attempt is available again, by key. */
  readonly #used = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#used.size;
  }

  /** Uses an attempt; call the result to return it after a correct password. Throws `too-many-attempts`. */
  take(place: string, name: string): () => void {
    const uses: [key: string, allowance: Allowance][] = [
      [place, perPlace],
      [`${place} ${name}`, perName],
    ];
    const now = this.#clock();
    const free = ([key]: [string, Allowance]) => Math.max(this.#used.get(key) ?? 0, now);
    const wait = Math.max(...uses.map((use) => free(use) + use[1].intervalMs - now - use[1].burst * use[1].intervalMs));
    if (wait > 0) {
      const retry_after = Math.ceil(wait / 1000);
      throw new Failure('too-many-attempts', `Too many wrong passwords; try again in ${retry_after} s`, undefined, { retry_after });
    }
    for (const use of uses) this.#set(use[0], free(use) + use[1].intervalMs);
    return () => {
      for (const [key, { intervalMs }] of uses) this.#set(key, (this.#used.get(key) ?? 0) - intervalMs);
    };
  }

  clear(): void {
    this.#used.clear();
  }

  #set(key: string, until: number): void {
    this.#used.delete(key);
    if (until <= this.#clock()) return;
    this.#used.set(key, until);
    for (const oldest of this.#used.keys()) {
      if (this.#used.size <= maxTrackedLogins) break;
      this.#used.delete(oldest);
    }
  }
}
