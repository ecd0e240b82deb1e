import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { detached } from '../support/detached.ts';
import { limit } from '../support/timeouts.ts';

const { calendar, detach } = detached();

it('serve --detach returns when the server is ready, which is stopped by its file', { timeout: limit(60_000) }, async () => {
  const { url, file } = detach('--db city.db --seed minimal');
  expect(calendar('stop --db city.db').exit).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(`${file}-owner`)).toBe(false);
  expect(calendar('events list --db city.db --format ids').stdout).not.toBe('');
});
