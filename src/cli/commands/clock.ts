import { type Command, Option } from 'commander';
import type { ClockState } from '../../model/operations/clock.ts';
import { durationForms, readDuration } from '../../model/time/duration.ts';
import { operate } from '../connect/operate.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar clock`: the clock of the server that holds the calendar. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'as JSON');
  const add = (
    name: string,
    summary: string,
    work: (session: Session, text: string) => Promise<ClockState>,
    argument?: [string, string],
  ) => {
    const sub = command.command(name).summary(summary).addOption(json());
    if (argument) sub.argument(...argument);
    sub.action(
      runner.action(async (session, [text], options) => {
        const state = await work(session, String(text));
        await session.print(options.json ? `${JSON.stringify(state)}\n` : `${state.now} ${state.frozen ? 'stopped' : 'running'}\n`);
        return undefined;
      }),
    );
  };
  add('get', 'the moment that counts as now', (session) => operate(session, 'read', 'clock'));
  add('set', 'stop the clock at an instant', (session, now) => operate(session, 'served', 'setClock', { now }), [
    '<instant>',
    'like 2027-03-01T09:00:00Z',
  ]);
  add(
    'advance',
    'move the clock, and publish what is due by then',
    (session, text) => operate(session, 'served', 'advanceClock', readDuration(text) ? { by: text } : { to: text }),
    ['<duration>', `how far, like ${durationForms}, or the instant to go to; back as -- -1d`],
  );
  add('freeze', 'stop the clock', (session) => operate(session, 'served', 'freezeClock'));
  add('resume', 'let the clock run on from where it is', (session) => operate(session, 'served', 'resumeClock'));
  add('reset', 'set the clock as it was when the server started', (session) => operate(session, 'served', 'resetClock'));
}
