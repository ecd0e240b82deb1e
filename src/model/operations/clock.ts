import { namedSchema, operation } from './operation.ts';
import { anyTime } from './summary.ts';

export const clockState = namedSchema('ClockState', 'The state of the clock of a calendar', (z) =>
  z
    .object({
      now: z.iso.datetime().describe('Current time, in UTC'),
      frozen: z.boolean().describe('True if the clock is stopped'),
      ahead: z.number().describe("Milliseconds ahead of the system's clock, while it runs"),
    })
    .meta({ id: 'Clock' }),
);

export const clock = {
  get: operation({
    id: 'clock',
    method: 'GET',
    path: '/clock',
    access: 'everyone',
    about: 'Get the clock',
    example: 'const { now } = await calendar.clock.get();',
    output: clockState,
  }),
  set: operation({
    id: 'setClock',
    method: 'PUT',
    path: '/clock',
    access: 'full',
    about: 'Stop the clock at an instant',
    input: namedSchema('SetClockInput', 'The instant to stop the clock at', (z) =>
      z.strictObject({ now: z.string().describe('The instant, like 2027-03-01T09:00:00Z; in UTC if it has no offset') }),
    ),
    output: clockState,
  }),
  advance: operation({
    id: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    access: 'full',
    about: 'Advance the clock and publish everything that becomes due',
    input: namedSchema('AdvanceInput', 'The duration or the instant to advance the clock to', (z) =>
      z.strictObject({
        by: anyTime(z).optional().describe('A duration like 90m, 1d or P1DT2H, or milliseconds; negative to go back'),
        to: z.string().optional().describe('An instant, instead of a duration; in UTC if it has no offset'),
      }),
    ),
    output: clockState,
  }),
  freeze: operation({
    id: 'freezeClock',
    method: 'POST',
    path: '/clock/freeze',
    access: 'full',
    about: 'Stop the clock',
    example: 'await calendar.clock.freeze();',
    output: clockState,
  }),
  resume: operation({
    id: 'resumeClock',
    method: 'POST',
    path: '/clock/resume',
    access: 'full',
    about: 'Resume the clock',
    example: 'await calendar.clock.resume();',
    output: clockState,
  }),
  reset: operation({
    id: 'resetClock',
    method: 'POST',
    path: '/clock/reset',
    access: 'full',
    about: 'Reset the clock to its state at the start',
    example: 'await calendar.clock.reset();',
    output: clockState,
  }),
};
