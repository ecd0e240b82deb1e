import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchPath } from '../../../src/data/serving/watch.ts';
import { inFolder } from '../../support/items.ts';

it('notices a change before it starts, and each later one', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'fixture.json');
    writeFileSync(path, 'a');
    const watch = watchPath(path);
    writeFileSync(path, 'changed');
    let noticed: (() => void) | undefined;
    const nextChange = () => new Promise<void>((resolve) => (noticed = resolve));
    const first = nextChange();
    const unwatch = watch(async () => noticed?.());
    await first;
    for (const change of [() => rmSync(path), () => writeFileSync(path, 'new')]) {
      const next = nextChange();
      change();
      await next;
    }
    await unwatch();
    expect(noticed).toBeDefined();
  }));
