import { once } from 'node:events';
import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { isLoopback, socketAddressOf } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { detachedPorts, ownerOf, ownerOfPort } from '../../store/file/lock.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { lockTimeoutMs } from '../connect/file.ts';
import { type Target, targetOf } from '../connect/target.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar stop`: ends servers of this user on this machine. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the server (default: the server of the selected calendar)')
    .option('--all', 'Stop the servers that --detach started in this folder or below it')
    .option('--everywhere', 'With --all, stop those of all folders')
    .action(
      runner.action((session, [url], { all, everywhere }) =>
        all || everywhere ? stopAll(session, url as string | undefined, Boolean(everywhere)) : stop(session, url as string | undefined),
      ),
    );
}

const intervalMs = 20;

async function stopAll(session: Session, url: string | undefined, isEverywhere: boolean): Promise<number> {
  const { globals, terminal } = session;
  if (url !== undefined || globals.url !== undefined || globals.db !== undefined)
    throw new Failure('bad-request', 'Use either --all or the address of a server, not both');
  const folder = isEverywhere ? undefined : await realpath(terminal.cwd);
  const ports = await detachedPorts(folder);
  for (const port of ports) {
    // It may have ended meanwhile.
    const owner = await ownerOfPort(port);
    if (owner?.url !== undefined) await end(session, owner.url, owner, () => ownerOfPort(port));
  }
  if (!ports.length) await session.tell(`calendar: No server runs in the background${folder === undefined ? '' : ` for ${folder}`}`);
  return 0;
}

async function stop(session: Session, url: string | undefined): Promise<number> {
  const { globals, terminal } = session;
  const target = await targetOf(url === undefined ? globals : { ...globals, url, db: undefined, profile: undefined }, terminal);
  const name = target.kind === 'file' ? target.file : target.url;
  const owner = await ownerOfTarget(target);
  if (owner === undefined) {
    if (target.kind === 'remote' && (await isListening(target.url))) throw notOurs(name);
    const hint = target.kind === 'file' ? 'Stop a server in memory by its address: calendar stop URL.' : undefined;
    throw new Failure('unreachable', `No server is running for ${name}`, hint);
  }
  await end(session, name, owner, () => ownerOfTarget(target));
  return 0;
}

const notOurs = (name: string, owner?: Owner): Failure => {
  const by = owner?.pid ? ` (process ${owner.pid})` : '';
  return new Failure(
    'rest_forbidden',
    `${name} is not in use by a calendar serve of yours${by}`,
    'Stop that process where it was started.',
  );
};

/** Ends a server, and waits until it has ended. */
async function end(
  { globals, terminal, tell }: Session,
  name: string,
  owner: Owner,
  ownerNow: () => Promise<Owner | undefined>,
): Promise<void> {
  if (owner.url === undefined) throw notOurs(name, owner);
  try {
    process.kill(owner.pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') throw notOurs(name, owner);
  }
  const deadline = performance.now() + lockTimeoutMs(globals);
  while ((await ownerNow())?.pid === owner.pid) {
    if (performance.now() > deadline)
      throw new Failure('busy', `The server at ${owner.url} (process ${owner.pid}) is still answering requests`, 'Increase --timeout.');
    await sleep(intervalMs, undefined, { signal: terminal.interrupted });
  }
  await tell(`calendar: Stopped ${owner.url} (process ${owner.pid})`);
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
