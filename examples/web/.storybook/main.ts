import type { StorybookConfig } from '@storybook/html-vite';

const config: StorybookConfig = {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.ts'],
  // The worker of MSW.
  staticDirs: ['../public'],
  // Storybook is published below a folder.
  viteFinal: (vite) => ({ ...vite, base: './' }),
};

export default config;
