import { contentOf } from '../client/answer.ts';
import { Failure } from '../model/error.ts';
import { resourceNames } from '../model/resource.ts';
import { failureAnswer } from '../server/answer.ts';
import type { Answer, Request } from '../server/handler.ts';
import type { Database, DatabaseInfo } from '../store/database.ts';
import type { Connection } from './connect.ts';
import { failureOf } from './message.ts';

/** What `calendar db info` tells. */
export type Figures = DatabaseInfo & { records: Record<string, number> };

/** Figures about an open file and how many records it has. */
export function figuresOf(db: Database): Figures {
  const count = (name: string) => db.get<{ n: number }>(`select count(*) as n from ${name}`)!.n;
  return { ...db.info(), records: Object.fromEntries(resourceNames.map((name) => [name, count(name)])) };
}

/** What only the owner of a file can do; a server does it for commands that can read its token. */
const errands = {
  info: async (db: Database) => figuresOf(db),
  checkpoint: (db: Database) => db.checkpoint(),
  backup: (db: Database, to: string) => db.backup(to),
} as const;
export type Errand = keyof typeof errands;

type Handle = (request: Request) => Promise<Answer>;

/** A server that does errands too, at a path of its own below `root`, for whoever sends its token. */
export function withErrands(handle: Handle, db: Database, root: string, token: string): Handle {
  const start = `${root}/-/`;
  return async (request) => {
    const name = request.path.startsWith(start) ? request.path.slice(start.length) : '';
    if (!Object.hasOwn(errands, name) || request.method !== 'POST' || request.headers.authorization !== `Bearer ${token}`)
      return handle(request);
    try {
      return answer(200, (await errands[name as Errand](db, Buffer.from(request.body).toString())) ?? {});
    } catch (error) {
      const { status, value } = failureAnswer(failureOf(error));
      return answer(status, value);
    }
  };
}

const answer = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
});

/** Has the server that owns a file do something for it. */
export async function send(connection: Connection, errand: Errand, body = ''): Promise<unknown> {
  const answered = await connection.ask({ method: 'POST', path: `/-/${errand}`, query: '', headers: {}, body: Buffer.from(body) });
  if (answered.status === 404) throw new Failure('server-failure', `${connection.place} does not know how to do this`);
  return contentOf(answered, connection.place);
}
