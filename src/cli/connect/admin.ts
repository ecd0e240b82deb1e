import { Failure } from '../../model/error.ts';
import type { AdminCall, AdminCalls } from '../../model/service.ts';
import type { Session } from '../session.ts';
import { type AccessMode, type Connection, connectToOwner, openFile } from './connect.ts';

type Input<Name extends AdminCall> = Parameters<AdminCalls[Name]>;
type Output<Name extends AdminCall> = ReturnType<AdminCalls[Name]>;

/** Has whoever owns the calendar's file carry out an operation on it: the server that has it, or else this process. */
export async function adminCall<Name extends AdminCall>(
  session: Session,
  mode: AccessMode,
  name: Name,
  ...input: Input<Name>
): Promise<Awaited<Output<Name>>> {
  const server = await connectToOwner(session.globals, session.terminal);
  if (server) return overHttp(session, server, name, input);
  const [store, { adminOf }] = await Promise.all([openFile(session.globals, session.terminal, mode), import('../../store/service.ts')]);
  try {
    const call = adminOf(store)[name] as (...input: Input<Name>) => Output<Name>;
    return await call(...input);
  } finally {
    await store.close();
  }
}

async function overHttp<Name extends AdminCall>(
  session: Session,
  server: Connection,
  name: Name,
  [input]: Input<Name>,
): Promise<Awaited<Output<Name>>> {
  await session.note(`calendar: ${server.place}`);
  try {
    const body = Buffer.from(JSON.stringify(input ?? null));
    const answer = await server.ask({ method: 'POST', path: `/-/${name}`, query: '', headers: {}, body });
    if (answer.body.includes('"rest_no_route"')) throw new Failure('server-failure', `${server.place} does not know how to do this`);
    const { contentOf } = await import('../../client/response.ts');
    return (contentOf(answer, server.place) as { done: Awaited<Output<Name>> }).done;
  } finally {
    await server.close();
  }
}
