import { afterAll, it } from 'vitest';
import { expectSeededOnce } from '../../support/seeded-once.ts';
import { folder } from '../../support/transcript.ts';

const { path, remove } = folder();
afterAll(remove);

it.each(['demo', 'shapes', 'conference'])('the seed %s fills an empty calendar, and is rejected the second time', (name) =>
  expectSeededOnce(name, path),
);
