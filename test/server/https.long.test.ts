import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

const file = (name: string) => resolve('test/support/files/tls', name);
const [tlsCert, tlsKey] = [file('cert.pem'), file('key.pem')];

it('is trusted by commands and by fetch that know its authority, and by no others', async () => {
  const calendar = await createCalendar({ tlsCert, tlsKey, seed: 'minimal' });
  const runNode = (env: object, ...args: string[]) =>
    promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } }).catch((error: { stderr: string }) => error);
  const list = ['dist/calendar.js', 'events', 'list', '--url', calendar.url];
  const script = ['-e', `fetch('${calendar.url}/events').then(({ status }) => console.log(status))`];
  const trusting = { NODE_EXTRA_CA_CERTS: tlsCert };
  expect(await runNode(trusting, ...list)).toMatchObject({ stdout: expect.stringContaining('1') });
  expect(await runNode(trusting, ...script)).toMatchObject({ stdout: '200\n' });
  const { stderr } = await runNode({}, ...list);
  expect(stderr).toBe(
    `calendar: Cannot reach ${calendar.root}: its certificate is not trusted\n  Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it, before the program starts.\n`,
  );
  await calendar.close();
});

it('ends while a connection is in the handshake', async () => {
  const calendar = await createCalendar({ tlsCert, tlsKey });
  const socket = connect(Number(new URL(calendar.url).port), '127.0.0.1');
  const closed = new Promise((done) => socket.on('close', done));
  socket.on('error', () => {});
  await new Promise((done) => socket.on('connect', done));
  await calendar.close();
  await closed;
});

it('does not keep the process running', async () => {
  const script = `import { createCalendar } from './dist/index.cjs';
    const calendar = await createCalendar({ tlsCert: ${JSON.stringify(tlsCert)}, tlsKey: ${JSON.stringify(tlsKey)} });
    console.log((await fetch(calendar.url + '/tags')).status);`;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: tlsCert };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env, timeout: 60_000 });
  expect(stdout).toBe('200\n');
});
