import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespace } from '../../src/model/routes.ts';
import type { ControlledCalendar } from '../../src/testing/calendar.ts';
import { createCalendar } from '../../src/testing/create.ts';
import { webLibrary } from '../support/web-library.ts';
import { Comparison } from './comparison.ts';
import { type Exchange, readExchanges, recordedUsers } from './exchange.ts';
import { Requester } from './request.ts';

/** The exchanges that differ on purpose; the page has the reason of each. */
const documentedDifferences = new Set(
  [...readFileSync('docs/differences.md', 'utf8').matchAll(/^\| `([\w.-]+)` +\|/gm)].map(([, name]) => name!),
);

interface Moment {
  utc: string;
  timeZone: string;
}
const localTime = ({ utc, timeZone }: Moment): string => new Date(utc).toLocaleString('sv', { timeZone });

/** Returns whether the rules of the recorded time zone give another local time than the recording where the calendar runs. */
async function hasNewerZone({ expect }: Exchange, localTimeOf: Opened['localTimeOf']): Promise<boolean> {
  const { start_date, utc_start_date, timezone } = (expect?.body ?? {}) as Record<string, string>;
  if (!start_date || !utc_start_date || !timezone) return false;
  return (await localTimeOf({ utc: `${utc_start_date.replace(' ', 'T')}Z`, timeZone: timezone })) !== start_date;
}

const files = ['exchanges.ndjson', 'random.ndjson'];
const now = '2026-11-20T16:05:00Z';
const options = { cors: ['*'], timezone: 'America/New_York', now, users: recordedUsers };
interface Opened extends Pick<ControlledCalendar, 'url' | 'handler' | 'close'> {
  localTimeOf(moment: Moment): string | Promise<string>;
}
const here = (calendar: Omit<Opened, 'localTimeOf'>): Opened => ({ ...calendar, localTimeOf: localTime });
/** Opens a calendar in each program. */
const openers: Record<string, () => Promise<Opened>> = {
  'a server': async () => here(await createCalendar(options)),
  'the web build': async () => here(await (await webLibrary())(options)),
  async 'a page'() {
    const { page, ask, close } = await (await import('../support/page-calendar.ts')).openInPage(options);
    const handler = async (request: Request) => {
      const { method, url, headers } = request;
      const body = Buffer.from(await request.arrayBuffer()).toString('base64');
      const answer = await ask({ method, url, headers: Object.fromEntries(headers), body, now: Date.parse(now) });
      return new Response([204, 304].includes(answer.status) ? null : answer.body, answer);
    };
    return { url: `http://127.0.0.1:8080/${namespace}`, handler, close, localTimeOf: (moment) => page.evaluate(localTime, moment) };
  },
};
const isInPage = process.env.CALENDAR_CONTRACT === 'in a browser';
const programs = isInPage ? ['a page'] : ['a server', 'the web build'];
const { noBrowser } = isInPage ? await import('../support/browser.ts') : {};

describe.skipIf(noBrowser).each(files.flatMap((file) => programs.map((program) => [file, program])))('%s, %s', (file, program) => {
  let calendar: Opened;
  let requester: Requester;
  let comparison: Comparison;
  beforeAll(async () => {
    calendar = await openers[program]!();
    requester = new Requester(calendar.url, program === 'a server' ? undefined : calendar.handler);
    comparison = new Comparison(calendar.url);
  });
  afterAll(async () => {
    requester.close();
    await calendar.close();
  });

  it.for(readExchanges(file))('$name: $method $path', async (exchange, { skip }) => {
    if (exchange.known) return requester.remember(exchange.known);
    const response = await requester.send(exchange);
    if (!exchange.expect) return;
    const differences = comparison.differences(exchange.expect, response);
    if (differences.length && (await hasNewerZone(exchange, calendar.localTimeOf))) skip('newer zone data than that of the recording');
    if (documentedDifferences.has(exchange.name)) expect(differences).not.toEqual([]);
    else expect(differences).toEqual([]);
  });
});
