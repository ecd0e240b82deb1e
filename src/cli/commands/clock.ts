import { type Command, Option } from 'commander';
import type { ClockState } from '../../model/operation-types.ts';
import { readDuration } from '../../model/time/duration.ts';
import { operate } from '../connect/operate.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar clock`: the clock of a server. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'Output JSON');
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
        await session.print(options.json ? `${JSON.stringify(state)}\n` : `${state.now} ${state.frozen ? 'frozen' : 'running'}\n`);
        return undefined;
      }),
    );
  };
  add('get', 'Show the current time', (session) => operate(session, 'read', 'clock', {}));
  add('set', 'Freeze the clock at an instant', (session, now) => operate(session, 'served', 'setClock', { now }), [
    '<instant>',
    'For example 2027-03-01T09:00:00Z; without an offset, UTC',
  ]);
  add(
    'advance',
    'Move the clock and publish everything that becomes due',
    (session, text) => operate(session, 'served', 'advanceClock', readDuration(text) ? { by: text } : { to: text }),
    ['<duration>', 'Duration, e.g. 90m, 1d or P1DT2H, or instant; to go back, use -- -1d'],
  );
  add('freeze', 'Freeze the clock', (session) => operate(session, 'served', 'freezeClock', {}));
  add('resume', 'Resume the clock', (session) => operate(session, 'served', 'resumeClock', {}));
  add('reset', 'Restore the clock to its state at start', (session) => operate(session, 'served', 'resetClock', {}));
}
