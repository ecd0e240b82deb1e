/** Tests in an environment with a document, which replaces or lacks some of node's globals. `fake` and `real` switch timers. */
exports.documentTests = ({ useCalendar, library: { connectCalendar, Failure }, test, expect, fake, real }) => {
  const calendar = useCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });

  test('has a document and records', async () => {
    expect(document.body).toBeTruthy();
    expect((await calendar.events.list()).total).toBeGreaterThan(1);
  });

  test('fetch takes signals and forms of the document', async () => {
    const aborted = new AbortController();
    const { signal } = aborted;
    expect((await (await calendar.fetch('events?search=jazz', { signal })).json()).total).toBeGreaterThan(1);
    const form = new FormData();
    form.set('name', 'from a form');
    expect((await calendar.fetch('tags', { method: 'POST', body: form })).status).toBe(201);
    const search = new URLSearchParams({ name: 'from a search' });
    expect((await calendar.fetch('tags', { method: 'POST', body: search })).status).toBe(201);
    await calendar.requests.verify({ method: 'POST', path: '/tags', body: { name: 'from a search' } });
    aborted.abort();
    await expect(calendar.fetch('events', { signal })).rejects.toThrow(/abort/i);
  });

  test('the code under test sends requests from the document', async () => {
    const text = await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve(request.responseText);
      request.onerror = reject;
      request.open('GET', `${calendar.url}/events`);
      request.send();
    });
    expect(JSON.parse(text).total).toBeGreaterThan(1);
  });

  test('the document gets no old responses from a cache', async () => {
    const load = (method, body) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.onload = () => resolve([request.status, request.responseText]);
        request.onerror = reject;
        request.open(method, `${calendar.url}/tags?hide_empty=false&search=cached`);
        request.send(body);
      });
    const loadByFetch = async () => {
      const response = await fetch(`${calendar.url}/tags?hide_empty=false&search=cached`);
      return [response.status, await response.text()];
    };
    const loads = typeof fetch === 'undefined' ? [() => load('GET')] : [() => load('GET'), loadByFetch];
    for (const read of loads) {
      const total = async () => JSON.parse((await read())[1]).total;
      expect(await total()).toBe(0);
      await calendar.tags.create({ name: 'cached' });
      expect(await total()).toBe(1);
      await calendar.reset();
      expect(await total()).toBe(0);
      const { id } = await calendar.faults.add({ match: { path: '/tags' }, then: { status: 503 } });
      expect((await read())[0]).toBe(503);
      await calendar.faults.remove(id);
      expect((await read())[0]).toBe(200);
    }
  });

  test('a calendar on a server', async () => {
    const remote = await connectCalendar(calendar.url);
    expect(await remote.events.get(99999).catch((error) => error)).toBeInstanceOf(Failure);
    const copy = await remote.fork();
    expect((await copy.events.list()).total).toBeGreaterThan(1);
    await copy.close();
    await remote.close();
  });

  test('streams, imports and exports', async () => {
    const stopped = new AbortController();
    const messages = await calendar.follow({ types: ['change'], signal: stopped.signal });
    await calendar.data.import({ name: 'x.csv', text: 'title,start_date,end_date\nX,2027-03-01 10:00,2027-03-01 11:00\n' });
    for await (const { type } of messages) if (type === 'change') break;
    stopped.abort();
    expect(await calendar.data.export({ format: 'ics' })).toContain('VCALENDAR');
  });

  test('fake timers stop neither delays nor the server nor waits', async () => {
    fake();
    await expect(calendar.requests.waitFor({ path: '/doc' }, { timeout: 50 })).rejects.toThrow('within 50 ms, and 0 of 0 did');
    const held = await calendar.faults.hold({ path: '/tags' });
    await expect(held.arrived(1, 50)).rejects.toThrow('within 50 ms, and 0 arrived');
    await calendar.faults.clear();
    await calendar.faults.add({ delay: 20 });
    expect((await calendar.fetch('events')).status).toBe(200);
    real();
  });
};
