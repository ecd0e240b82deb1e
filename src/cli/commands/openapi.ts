import { type Command, InvalidArgumentError, Option } from 'commander';
import { isObject } from '../../model/coerce.ts';
import { Failure } from '../../model/error.ts';
import { namespace } from '../../model/routes.ts';
import type { Runner, Session } from '../session.ts';
import { clockOf, variable } from '../terminal/terminal.ts';

interface DocumentOptions {
  server: URL;
  headerPrefix: string;
}

/** `calendar openapi`: prints what `/openapi.json` answers: that of a server with `--url`, else that of this program without starting one. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(
      new Option('--server <url>', 'the address that the document names')
        .argParser(address)
        .default(new URL('http://127.0.0.1:8787'), 'http://127.0.0.1:8787'),
    )
    .addOption(new Option('--header-prefix <name>', 'how the headers with totals start').default('X-Calendar'))
    .action(runner.action((session, _args, options) => openapi(session, options as unknown as DocumentOptions)));
}

function address(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It takes an http or https address.');
}

async function openapi(session: Session, options: DocumentOptions): Promise<undefined> {
  const answer = session.globals.url === undefined ? await ownDocument(session, options) : await documentOf(session);
  const { status } = answer;
  if (status !== 200) throw new Failure('not-a-calendar', `there is no /openapi.json at ${session.globals.url}: it answered ${status}`);
  const { contentOf, notCalendar } = await import('../../client/response.ts');
  const address = `/openapi.json at ${session.globals.url}`;
  const document = contentOf(answer, address);
  if (!isObject(document) || typeof document.openapi !== 'string') throw notCalendar(answer, address);
  await session.print(`${JSON.stringify(document, null, 2)}\n`);
  return undefined;
}

const request = { method: 'GET', query: '', headers: {}, body: new Uint8Array() };

async function documentOf(session: Session) {
  const connection = await session.connect('read');
  return connection.ask({ ...request, path: '/openapi.json' });
}

/** The document of a server over a calendar with nothing in it. */
async function ownDocument({ terminal, globals }: Session, { server, headerPrefix }: DocumentOptions) {
  const [{ openCalendar }, { joinPieces }, { createHandler }, { serviceOf }] = await Promise.all([
    import('../../store/calendar.ts'),
    import('../../server/http.ts'),
    import('../../server/router.ts'),
    import('../../store/service.ts'),
  ]);
  const store = await openCalendar(':memory:', { mode: 'write', now: clockOf(terminal, globals.now) });
  try {
    const handle = createHandler(serviceOf(store), {
      basePath: server.pathname.replace(/\/+$/, ''),
      namespace: (globals.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? namespace).replace(/^\/+|\/+$/g, ''),
      headerPrefix,
      control: 'everyone',
      home: server.origin,
    });
    const { status, headers, body } = await handle({ ...request, path: '/openapi.json' });
    return { status, headers, body: new TextDecoder().decode(joinPieces(body)) };
  } finally {
    await store.close();
  }
}
