import { type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { namespace } from '../../model/routes.ts';
import type { Runner, Session } from '../session.ts';
import { clockOf, variable } from '../terminal/terminal.ts';

interface DocumentOptions {
  server: URL;
  headerPrefix: string;
}

/** `calendar openapi`: prints `/openapi.json` of a server, or of this program without starting one. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(
      new Option('--server <url>', 'Address of the server in the document')
        .argParser(parseAddress)
        .default(new URL('http://127.0.0.1:8787'), 'http://127.0.0.1:8787'),
    )
    .option('--header-prefix <name>', 'Prefix of response headers', 'X-Calendar')
    .action(runner.action((session, _args, options) => openapi(session, options as unknown as DocumentOptions)));
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Expected an http or https URL.');
}

async function openapi(session: Session, options: DocumentOptions): Promise<undefined> {
  const response = session.globals.url === undefined ? await ownDocument(session, options) : await documentOf(session);
  const { status } = response;
  if (status !== 200) throw new Failure('not-a-calendar', `${session.globals.url} has no /openapi.json: status ${status}`);
  const { contentOf, notCalendar } = await import('../../client/response.ts');
  const address = `/openapi.json at ${session.globals.url}`;
  const document = contentOf(response, address);
  if (!isObject(document) || typeof document.openapi !== 'string') throw notCalendar(response, address);
  await session.print(`${JSON.stringify(document, null, 2)}\n`);
  return undefined;
}

const request = { method: 'GET', query: '', headers: {}, body: new Uint8Array() };

async function documentOf(session: Session) {
  const connection = await session.connect('read');
  return connection.send({ ...request, path: '/openapi.json' });
}

async function ownDocument({ terminal, globals }: Session, { server, headerPrefix }: DocumentOptions) {
  const [{ openApiExamples }, { openCalendar }, { joinPieces }, { createHandler }, { serviceOf }] = await Promise.all([
    import('../../data/examples.ts'),
    import('../../store/calendar.ts'),
    import('../../server/http.ts'),
    import('../../server/router.ts'),
    import('../../store/service.ts'),
  ]);
  const store = await openCalendar(':memory:', { mode: 'write', now: clockOf(terminal, globals.now) });
  try {
    const handle = createHandler(serviceOf(store), {
      basePath: server.pathname.replace(/(?<!\/)\/+$/, ''),
      namespace: (globals.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? namespace).replace(/^\/+|(?<!\/)\/+$/g, ''),
      headerPrefix,
      control: 'everyone',
      publicUrl: server.origin,
      examples: openApiExamples,
    });
    const { status, headers, body } = await handle({ ...request, path: '/openapi.json' });
    return { status, headers, body: new TextDecoder().decode(joinPieces(body)) };
  } finally {
    await store.close();
  }
}
