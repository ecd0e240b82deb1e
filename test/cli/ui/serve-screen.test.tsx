import { afterEach, describe, expect, it } from 'vitest';
import { requestLine, ServeScreen } from '../../../src/cli/ui/serve-screen.tsx';
import type { RequestEvent } from '../../../src/server/http.ts';
import { TestScreen } from '../../support/test-screen.tsx';

let screen: TestScreen;
afterEach(() => screen?.close());

describe('requests on the screen', () => {
  const served = (over = {}) => {
    const listeners = new Set<(event: RequestEvent) => void>();
    const calls: string[] = [];
    return {
      calls,
      listeners,
      send: (event: Partial<RequestEvent>) => {
        for (const listener of listeners) listener({ method: 'GET', path: '/events', status: 200, took: 1.23, ...event });
      },
      root: 'http://127.0.0.1:1/calendar/events/v1',
      place: 'city.db',
      onRequest: (listener: (event: RequestEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      open: async () => {
        calls.push('open');
        return 'opened http://127.0.0.1:1/';
      },
      reset: async () => {
        calls.push('reset');
        return 'demo: 42 events';
      },
      ...over,
    };
  };

  it('show method, path, status and time; the rest is counted', async () => {
    const server = served();
    screen = new TestScreen(<ServeScreen served={server} color={false} />);
    await screen.sees('0 requests');
    server.send({ method: 'POST', path: '/events?x=1', status: 503, took: 12.3 });
    await screen.sees('1 request, 1 failed');
    expect(screen.history).toMatch(/POST +\/events\?x=1 +503 +12 ms/);
    for (let at = 0; at < 1000; at++) server.send({ path: `/events/${at}` });
    await screen.sees('1001 requests');
    expect(screen.history).toContain('… 800 more');
    expect(screen.history).not.toContain('/events/799 ');
    expect(screen.history).toContain('/events/999 ');
  });

  it('has keys to reset, after a question, to open and to quit', async () => {
    const server = served();
    screen = new TestScreen(<ServeScreen served={server} color={false} />);
    screen.press('r');
    await screen.sees('Reset city.db?');
    screen.press('n');
    await screen.sees('r reset');
    screen.press('r');
    await screen.sees('Reset city.db?');
    screen.press('y');
    await screen.sees('demo: 42 events');
    screen.press('o');
    await screen.sees('opened http://127.0.0.1:1/');
    expect(server.calls).toEqual(['reset', 'open']);
    screen.press('q');
    await screen.ended();
    expect(server.listeners.size).toBe(0);
  });

  it('offers no reset where there is nothing to go back to', async () => {
    screen = new TestScreen(<ServeScreen served={served({ reset: undefined })} color={false} />);
    expect(await screen.sees('q quit')).not.toContain('reset');
  });

  it.each([
    [{ method: 'GET', path: '/a', status: 200, took: 1.234 }, 40, 'GET    /a                 200    1.2 ms'],
    [{ method: 'GET', path: `/${'a'.repeat(90)}`, status: 404, took: 1234 }, 40, 'GET    /aaaaaaaaaaaaaaaa… 404   1234 ms'],
    [{ method: 'GET', path: '/\u009b31m', status: 404, took: 10 }, 40, 'GET    /�31m              404     10 ms'],
  ])('%j in %i columns', (event, columns, line) => {
    expect(requestLine(event, columns, false)).toBe(line);
  });
});
