import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import { type NewUser, type Role, roles, type User, type UserChange, type Viewer } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';

/** scrypt's cost: 2^14 blocks of 8, the least that is recommended for logins; a dev server checks one with every request. */
const cost = { N: 16384, r: 8, p: 1 };
const hash = (password: string, salt: Buffer) => scryptSync(password.normalize('NFC'), salt, 32, cost);

/** A password as it is stored: `scrypt:SALT:HASH`, both in base64. */
function stored(password: string): string {
  const salt = randomBytes(16);
  return `scrypt:${salt.toString('base64')}:${hash(password, salt).toString('base64')}`;
}

function matches(password: string, hashed: string): boolean {
  const [, salt = '', expected = ''] = hashed.split(':');
  const wanted = Buffer.from(expected, 'base64');
  return wanted.length === 32 && timingSafeEqual(hash(password, Buffer.from(salt, 'base64')), wanted);
}

const nobody = (name: string) => new Failure('user-not-found', `there is no user ${JSON.stringify(name)}`);

/** Fails for a role that there is not, and for an empty password. */
function check(name: string, role: Role, password: string): void {
  if (!roles.includes(role)) throw new Failure('bad-request', `role must be one of ${roles.join(', ')}: ${JSON.stringify(role)}`);
  if (!password) throw new Failure('bad-request', `the password of ${name} is empty`);
}

/** The users of a calendar. While there are none, whoever calls may do everything. */
export class Users {
  readonly #db: Database;
  /** Passwords that were right for what is stored, so that each costs its hash once. */
  readonly #known = new Map<string, string>();

  constructor(db: Database) {
    this.#db = db;
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

  /** Adds a user; fails when the name or the ID is taken. */
  add({ id, name, role, password }: NewUser): User {
    if (!/^\S{1,60}$/.test(name) || name.includes(':'))
      throw new Failure('bad-request', `a user name has no spaces and no colon: ${JSON.stringify(name)}`);
    check(name, role, password);
    if (this.#db.get('select 1 from users where name = ? or id = ?', name, id ?? 0))
      throw new Failure('user-exists', `there is a user ${JSON.stringify(name)} already`);
    const { lastId } = this.#db.run(
      'insert into users (id, name, role, password) values (?, ?, ?, ?)',
      id ?? null,
      name,
      role,
      stored(password),
    );
    return { id: lastId, name, role };
  }

  /** Gives a user another password, another role, or both; fails when there is no such user. */
  change({ name, role, password }: UserChange): User {
    const before = this.#db.get<User & { password: string }>('select * from users where name = ?', name);
    if (!before) throw nobody(name);
    check(name, role ?? before.role, password ?? 'as before');
    const next = { role: role ?? before.role, password: password === undefined ? before.password : stored(password) };
    this.#db.run('update users set role = ?, password = ? where id = ?', next.role, next.password, before.id);
    return { id: before.id, name, role: next.role };
  }

  /** Takes a user away. What they wrote stays. */
  remove(name: string): void {
    if (!this.#db.run('delete from users where name = ?', name).changes) throw nobody(name);
  }

  /** Who stands behind a name and a password; fails with `invalid_username` or `incorrect_password`. */
  authenticate(name: string, password: string): Viewer {
    const key = `${name}\0${password}`;
    const row = this.#db.get<User & { password: string }>('select * from users where name = ?', name);
    if (!row) throw new Failure('invalid_username', `there is no user ${JSON.stringify(name)}`);
    if (this.#known.get(key) !== row.password && !matches(password, row.password))
      throw new Failure('incorrect_password', `that is not the password of ${JSON.stringify(name)}`);
    if (this.#known.size < 1000) this.#known.set(key, row.password);
    return { id: row.id, name: row.name, role: row.role };
  }
}
