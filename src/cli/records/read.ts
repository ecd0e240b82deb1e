import type { Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { CommandAction, Session } from '../session.ts';
import { forEach } from './batch.ts';
import { checkOutput } from './check-output.ts';
import { uidsFor } from './list.ts';
import { namesOf, withRecord } from './names.ts';
import { printEntries } from './output.ts';

/** `get`: prints records in the order of the arguments, or opens them in the browser with `--web`. */
export const get =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const connection = await session.connect('read');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const query = { ...(options.password === undefined ? {} : { password: options.password }), ...uidsFor(options) };
    const results = forEach(session, names, String, options, (name) =>
      withRecord(name, resource, collection, (ref) => collection.get(ref, query)),
    );
    if (options.web) {
      if (connection.kind === 'file')
        throw new Failure('bad-request', `No server is running for ${connection.place}`, 'Start one with calendar serve.');
      for await (const { url } of results.entries()) await show(session, String(url));
    } else await printEntries(session, options, resource, results.entries(), { single: names.length === 1 });
    return results.exit;
  };

/** Opens the page of a record. The URL comes from a server, so only http and https URLs are passed to the browser. */
async function show(session: Session, url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new Failure('server-failure', `Invalid page URL ${JSON.stringify(url)}`);
  const { openInBrowser } = await import('../terminal/browser.ts');
  await session.tell(`Opening ${new URL(url).href}`);
  await openInBrowser(new URL(url).href, session.terminal.env).catch((error: Error) => {
    throw new Failure('not-found', error.message, 'Set BROWSER.');
  });
}
