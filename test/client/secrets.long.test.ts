import { expect, it } from 'vitest';
import {
  commandLines,
  hosts,
  type SecretCell,
  schemes,
  secretKinds,
  secretServers,
  sources,
  statuses,
  targets,
} from '../support/secret-cells.ts';

const servers = secretServers();

const lines = await commandLines();

/** For each pair of a source and a secret, every answer, and hosts and schemes in turn: all pairs of these occur with some command, and each command has all sources and secrets. */
function cellsOf(line: SecretCell['line'], start: number): SecretCell[] {
  let at = start;
  return sources.flatMap((source) =>
    secretKinds.map((secret) => {
      at += 1;
      const host = hosts[at % hosts.length]!;
      const scheme = schemes[Math.floor(at / hosts.length) % schemes.length]!;
      const status = statuses[Math.floor(at / 2) % statuses.length]!;
      return { line, source, secret, host, scheme, status, target: targets[Math.floor(at / 3) % targets.length]! };
    }),
  );
}

// Not every system resolves localhost. with a dot.
it.each(secretKinds.flatMap((secret) => hosts.slice(0, -1).flatMap((host) => schemes.map((scheme) => ({ secret, host, scheme })))))(
  'a secret reaches a typed address: $secret, $scheme://$host',
  async ({ secret, host, scheme }) => {
    const path = secret === 'token' ? 'settings list' : 'tags list';
    const line = lines.find((each) => each.path === path)!;
    const cell: SecretCell = { line, source: 'typed', secret, host, scheme, status: 200, target: 'https' };
    expect(await servers().problems(cell)).toEqual([]);
    expect(servers().arrivals.some(({ hasSecret }) => hasSecret)).toBe(true);
  },
);

it.each(lines.map((line, index) => ({ line, index, name: line.args.join(' '), takes: line.takes })))(
  'no secret of $name leaves where it must not ($takes)',
  async ({ line, index }) => {
    const problems: string[] = [];
    for (const cell of cellsOf(line, index * 7)) {
      const { source, secret, host, scheme, status, target } = cell;
      const found = await servers().problems(cell);
      problems.push(...found.map((problem) => `${source} ${secret} ${scheme}://${host} ${status} ${target}: ${problem}`));
    }
    expect(problems).toEqual([]);
  },
);
