import type { Preview } from '@storybook/html-vite';
import { calendar, startMock } from '../src/mock.ts';

let started: Promise<void> | undefined;

const preview: Preview = {
  // On a page of documentation, each story is in a frame: stories of one page have one calendar.
  parameters: { docs: { story: { inline: false, height: '200px' } } },
  // Each story begins with the seed, without the faults and the clock of the one before.
  beforeEach: async () => {
    started ??= startMock();
    await started;
    await calendar.reset();
  },
};

export default preview;
