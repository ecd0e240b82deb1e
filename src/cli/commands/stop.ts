import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { isLoopback, socketAddressOf } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { ownerOf, ownerOfPort } from '../../store/file/lock.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { lockTimeoutMs } from '../connect/file.ts';
import { type Target, targetOf } from '../connect/target.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar stop`: ends a server of this user on this machine. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the server (default: the server of the selected calendar)')
    .action(runner.action((session, [url]) => stop(session, url as string | undefined)));
}

const intervalMs = 20;

async function stop({ globals, terminal, tell }: Session, url: string | undefined): Promise<number> {
  const target = await targetOf(url === undefined ? globals : { ...globals, url, db: undefined, profile: undefined }, terminal);
  const name = target.kind === 'file' ? target.file : target.url;
  const owner = await ownerOfTarget(target);
  const notOurs = () => {
    const by = owner?.pid ? ` (process ${owner.pid})` : '';
    return new Failure(
      'rest_forbidden',
      `${name} is not in use by a calendar serve of yours${by}`,
      'Stop that process where it was started.',
    );
  };
  if (owner === undefined) {
    if (target.kind === 'remote' && (await isListening(target.url))) throw notOurs();
    const hint = target.kind === 'file' ? 'Stop a server in memory by its address: calendar stop URL.' : undefined;
    throw new Failure('unreachable', `No server is running for ${name}`, hint);
  }
  if (owner.url === undefined) throw notOurs();
  try {
    process.kill(owner.pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') throw notOurs();
  }
  const end = performance.now() + lockTimeoutMs(globals);
  while ((await ownerOfTarget(target))?.pid === owner.pid) {
    if (performance.now() > end)
      throw new Failure('busy', `The server at ${owner.url} (process ${owner.pid}) is still answering requests`, 'Increase --timeout.');
    await sleep(intervalMs, undefined, { signal: terminal.interrupted });
  }
  await tell(`calendar: Stopped ${owner.url} (process ${owner.pid})`);
  return 0;
}

/** The process that serves a file or an address. Throws `bad-request` for another machine. */
async function ownerOfTarget(target: Target): Promise<Owner | undefined> {
  if (target.kind === 'file') return ownerOf(target.file);
  const { host, port } = socketAddressOf(new URL(target.url));
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each!.map(({ address }) => address));
  if (!isLoopback(host) && !addresses.includes(host))
    throw new Failure('bad-request', `${target.url} is not on this machine`, 'Stop it where it was started.');
  return ownerOfPort(port);
}

async function isListening(url: string): Promise<boolean> {
  const socket = connect(socketAddressOf(new URL(url)));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
