import { contentOf } from '../client/answer.ts';
import { Failure } from '../model/error.ts';
import { resourceNames } from '../model/resource.ts';
import { failureAnswer } from '../server/answer.ts';
import type { Answer, Request } from '../server/handler.ts';
import type { DatabaseInfo } from '../store/database.ts';
import type { Store } from '../store/open.ts';
import type { NewUser, User } from '../store/users.ts';
import { type Connection, connectToOwner, type Mode, openFile } from './connect.ts';
import { failureOf } from './message.ts';
import type { Session } from './shell.ts';

/** What `calendar db info` tells. */
export type Figures = DatabaseInfo & { records: Record<string, number> };

function figuresOf({ db }: Store): Figures {
  const count = (name: string) => db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n;
  return { ...db.info(), records: Object.fromEntries(resourceNames.map((name) => [name, count(name)])) };
}

/** What only the owner of a file can do: this command where nobody else has it, or the server that does. What they take and give is JSON. */
const errands = {
  info: figuresOf,
  checkpoint: ({ db }: Store) => db.checkpoint(),
  backup: ({ db }: Store, to: string) => db.backup(to),
  settings: ({ settings }: Store) => settings.list(),
  setting: ({ settings }: Store, name: string) => settings.get(name),
  set: (store: Store, [name, value]: [string, string]) => store.change(() => store.settings.set(name, value)),
  users: ({ users }: Store): User[] => users.list(),
  addUser: (store: Store, user: NewUser): Promise<User> => store.change(() => store.users.add(user)),
  removeUser: (store: Store, name: string) => store.change(() => store.users.remove(name)),
} as const;
type Errands = typeof errands;
type Errand = keyof Errands;
type Given<E extends Errand> = Parameters<Errands[E]>[1];
type Got<E extends Errand> = Awaited<ReturnType<Errands[E]>>;

/** Has the owner of the file that is meant do something. */
export async function byOwner<E extends Errand>(session: Session, mode: Mode, errand: E, given?: Given<E>): Promise<Got<E>> {
  const server = await connectToOwner(session.globals, session.terminal);
  if (server) return sent(session, server, errand, given);
  const store = await openFile(session.globals, session.terminal, mode);
  try {
    return await run(store, errand, given);
  } finally {
    await store.close();
  }
}

const run = <E extends Errand>(store: Store, errand: E, given: Given<E> | undefined): Promise<Got<E>> =>
  (errands[errand] as (store: Store, given: unknown) => Promise<Got<E>>)(store, given);

async function sent<E extends Errand>(session: Session, server: Connection, errand: E, given: Given<E> | undefined): Promise<Got<E>> {
  await session.note(`calendar: ${server.place}`);
  try {
    const body = Buffer.from(JSON.stringify(given ?? null));
    const answered = await server.ask({ method: 'POST', path: `/-/${errand}`, query: '', headers: {}, body });
    if (answered.body.includes('"rest_no_route"')) throw new Failure('server-failure', `${server.place} does not know how to do this`);
    return (contentOf(answered, server.place) as { done: Got<E> }).done;
  } finally {
    await server.close();
  }
}

type Handle = (request: Request) => Answer | Promise<Answer>;

/** A server that does errands too, at a path of its own below `root`, for whoever sends its token. */
export function withErrands(handle: Handle, store: Store, root: string, token: string): Handle {
  const start = `${root}/-/`;
  return (request) => {
    if (!request.path.startsWith(start)) return handle(request);
    const name = request.path.slice(start.length);
    const known = Object.hasOwn(errands, name) && request.method === 'POST' && request.headers.authorization === `Bearer ${token}`;
    return known ? answered(store, name as Errand, request.body) : handle(request);
  };
}

async function answered(store: Store, errand: Errand, body: Uint8Array): Promise<Answer> {
  try {
    const given = body.length > 0 ? JSON.parse(Buffer.from(body).toString()) : undefined;
    return answer(200, { done: (await run(store, errand, given)) ?? null });
  } catch (error) {
    const { status, value } = failureAnswer(failureOf(error));
    return answer(status, value);
  }
}

const answer = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
});
