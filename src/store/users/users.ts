import { machine } from '../../machine.ts';
import { Failure } from '../../model/error.ts';
import { base64Bytes, base64Text, randomBytes } from '../../model/formats/bytes.ts';
import { type NewUser, type Role, roles, type User, type UserChange, type Viewer } from '../../model/viewer.ts';
import { namesIn } from '../records/tables.ts';
import type { Database } from '../sqlite/sql.ts';

/** Matches the password of an application, in groups of four characters, as WordPress shows it. */
const grouped = /^[a-z\d]{4}( [a-z\d]{4})+$/i;
/** A new password as it is hashed: that of an application without its spaces, as in WordPress. */
const hashedForm = (password: string): string => (grouped.test(password) ? withoutSpaces(password) : password);
const withoutSpaces = (password: string): string => password.replace(/\s/g, '');

/** Formats a hash as it is stored: `scrypt:SALT:HASH`, both in base64. */
const stored = (salt: Uint8Array, hashed: Uint8Array) => `scrypt:${base64Text(salt)}:${base64Text(hashed)}`;

/** Hashes a password in the background. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return stored(salt, await machine.scrypt(hashedForm(password).normalize('NFC'), salt));
}

/** Hashes a password synchronously, for use in a change. Takes some tens of milliseconds. */
function hashPasswordSync(password: string): string {
  const salt = randomBytes(16);
  return stored(salt, machine.scryptSync(hashedForm(password).normalize('NFC'), salt));
}

/** True if a password has a stored hash. */
async function isPasswordOf(password: string, hashed: string): Promise<boolean> {
  const [, salt = '', expected = ''] = hashed.split(':');
  const isRight = async (text: string) => base64Text(await machine.scrypt(text.normalize('NFC'), base64Bytes(salt))) === expected;
  // People paste the password of an application in both forms. Older files have the hash of the form that was set.
  return (await isRight(password)) || (/\s/.test(password) && (await isRight(withoutSpaces(password))));
}

/** Made on first use: some runtimes have no random numbers while modules load. */
let key: Uint8Array | undefined;

/** A keyed hash of a name and a password, which is only valid in this process. */
function keyOf(name: string, password: string): string {
  key ??= randomBytes(32);
  return machine.keyedHash(key, `${name}\0${password}`);
}

/** The hash of a user of a calendar in memory, without the cost of one in a file. Without the key of this process, a copy of it allows no guess, and no sign-in. */
const keyedSecret = (name: string, password: string): string => `keyed:${keyOf(name, hashedForm(password).normalize('NFC'))}`;

/** True if a password has a keyed hash. */
const isKeyedPasswordOf = (name: string, password: string, secret: string): boolean =>
  [password, withoutSpaces(password)].some((form) => secret === keyedSecret(name, form));

/** Maximum number of pairs that are kept. */
const maxVerified = 1000;
/** {@link keyOf} names, and correct passwords with their stored hashes, so that each is verified with scrypt only once, also for copies of a calendar. */
const verified = new Set<string>();

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

  constructor(db: Database) {
    this.#db = db;
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
      secret ?? this.#hash(name, password),
    );
    return { id: newId, name, role };
  }

  /** Changes the password or the role of a user. Throws if there is no such user. `secret` is as in {@link Users.add}. */
  change({ name, role, password }: UserChange, secret?: string): User {
    const before = this.#row(name);
    if (!before) throw userNotFound(name);
    check(name, role ?? before.role, password ?? 'as before');
    if (role !== undefined) this.#checkOwner({ id: before.id, role });
    const next = { role: role ?? before.role, password: password === undefined ? before.password : (secret ?? this.#hash(name, password)) };
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

  /** An ID that neither a user nor an author of records has: no new user owns existing records. ID 1 is the author of seeds. */
  #nextId(): number {
    const usedIds = ['select 1 as id', 'select max(id) from users', ...postTables.map((table) => `select max(author) from ${table}`)];
    return this.#db.get<{ id: number }>(`select max(id) + 1 as id from (${usedIds.join(' union all ')})`)!.id;
  }

  /** Removes a user. Their records stay. */
  remove(name: string): void {
    if (!this.#db.run('delete from users where name = ?', name)) throw userNotFound(name);
  }

  /** The user with a name and a password, immediately if they were verified before. Throws `invalid_username` or `incorrect_password`. */
  authenticate(name: string, password: string): Viewer | Promise<Viewer> {
    const row = this.#row(name);
    return row && verified.has(keyOf(name, `${row.password}\0${password}`)) ? viewerOf(row) : this.#verify(name, password);
  }

  async #verify(name: string, password: string): Promise<Viewer> {
    const secret = this.#row(name)?.password;
    if (secret === undefined) throw new Failure('invalid_username', `Unknown user ${JSON.stringify(name)}`);
    const right = secret.startsWith('keyed:') ? isKeyedPasswordOf(name, password, secret) : await isPasswordOf(password, secret);
    // Users may have changed in the meantime.
    const row = this.#row(name);
    if (!right || row?.password !== secret) throw new Failure('incorrect_password', `Incorrect password for user ${JSON.stringify(name)}`);
    if (verified.size >= maxVerified) verified.clear();
    verified.add(keyOf(name, `${secret}\0${password}`));
    return viewerOf(row);
  }

  /** Only what is written to a file is worth the cost of scrypt. */
  #hash(name: string, password: string): string {
    return this.#db.file === undefined ? keyedSecret(name, password) : hashPasswordSync(password);
  }

  #row(name: string): (User & { password: string }) | undefined {
    return this.#db.get<User & { password: string }>('select * from users where name = ?', name);
  }
}
