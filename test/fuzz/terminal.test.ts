import fc from 'fast-check';
import { expect } from 'vitest';
import { fuzz } from '../support/fuzz.ts';
import { allCommands, attacks, hostileSite, leakIn } from '../support/hostile-site.ts';

const leaves = await allCommands();
const text = fc.array(fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 3 })), { minLength: 1, maxLength: 6 });

const runs = fc.array(
  fc.record({
    leaf: fc.constantFrom(...leaves),
    on: fc.constantFrom('site', 'copy'),
    arguments: fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
    option: fc.nat(),
  }),
  { minLength: 5, maxLength: 20 },
);

fuzz('no text of others reaches a terminal as it is', fc.tuple(text, runs), async ([pieces, commands]) => {
  const site = await hostileSite(pieces.join(''));
  try {
    for (const { leaf, on, arguments: drawn, option } of commands) {
      const options = leaf.command.options.filter(({ long, required, optional }) => long && (required || optional));
      const flag = options.length && option % 2 ? [`${options[option % options.length]!.long}=${site.arguments[0]}`] : [];
      const args = [...leaf.path, ...leaf.command.registeredArguments.map((_, at) => site.arguments[drawn[at % 4]!]!), ...flag];
      const { stdout, stderr } = await site.run(args, on);
      expect([args, leakIn(stdout), leakIn(stderr)]).toEqual([args, undefined, undefined]);
    }
  } finally {
    await site.close();
  }
});
