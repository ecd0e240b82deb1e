import { afterAll, beforeAll, expect, it } from 'vitest';
import { allCommands, attacks, hostileSite, leakIn } from '../support/hostile-site.ts';
import { limit } from '../support/timeouts.ts';

let site: Awaited<ReturnType<typeof hostileSite>>;
let shown = 0;
beforeAll(async () => {
  site = await hostileSite(`a${attacks.join('')}z`);
});
afterAll(() => site.close());

async function expectClean(args: readonly string[]): Promise<void> {
  for (const on of ['site', 'copy'] as const) {
    const { stdout, stderr } = await site.run(args, on);
    expect([args, leakIn(stdout), leakIn(stderr)]).toEqual([args, undefined, undefined]);
    if ((stdout + stderr).includes('␛]52')) shown += 1;
  }
}

const leaves = (await allCommands()).map(({ path, command }) => [path.join(' '), path, command] as const);

it.each(leaves)('%s writes no text of others as it is', { timeout: limit(60_000) }, async (_name, path, command) => {
  for (const argument of site.arguments) await expectClean([...path, ...command.registeredArguments.map(() => argument)]);
  for (const { long, required, optional } of command.options)
    if (long && (required || optional))
      await expectClean([...path, ...command.registeredArguments.map(() => '8'), `${long}=${site.arguments[0]}`]);
});

it('most commands showed such a text', () => expect(shown).toBeGreaterThan(leaves.length));
