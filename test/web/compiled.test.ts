import { expect, it } from 'vitest';
import { compileApp } from '../../src/web/compile.ts';

it('the bundle contains no schemas and unused parts of the model', async () => {
  const { script, metafile } = await compileApp();
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput ? [path] : [])),
  );
  expect(used.filter((path) => /zod|model\/(resources|operations\/(all|data|operation))/.test(path))).toEqual([]);
  expect(script.length).toBeLessThan(140_000);
});
