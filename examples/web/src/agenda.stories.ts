import type { Meta, StoryObj } from '@storybook/html-vite';
import { showAgenda } from './agenda.ts';
import { calendar } from './mock.ts';

const meta: Meta = {
  title: 'Agenda',
  render: () => {
    const list = document.createElement('ul');
    void showAgenda(list);
    return list;
  },
};

export default meta;

export const Seeded: StoryObj = {};

export const Empty: StoryObj = { beforeEach: () => calendar.reset({ to: 'empty' }).then(() => {}) };

export const Outage: StoryObj = { beforeEach: () => calendar.faults.add({ then: { status: 503 } }).then(() => {}) };

export const AfterTheSeason: StoryObj = { beforeEach: () => calendar.clock.set('2028-03-01T09:00Z').then(() => {}) };
