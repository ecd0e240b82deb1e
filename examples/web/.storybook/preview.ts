import type { Preview } from '@storybook/html-vite';
import { calendar, startMock } from '../src/mock.ts';

let started: Promise<void> | undefined;

const preview: Preview = {
  // Each story begins with the seed, without the faults and the clock of the one before.
  beforeEach: async () => {
    started ??= startMock();
    await started;
    await calendar.reset();
  },
};

export default preview;
