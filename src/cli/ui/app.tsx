import { useApp, useInput, useStdout } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import type { Calendar } from '../../model/resource.ts';
import type { Look } from '../look/look.ts';
import { listener } from './keys.ts';
import type { Loader } from './load.ts';
import { type Action, reduce } from './reducer.ts';
import { Screen } from './screen.tsx';
import { type Ask, askOf, initial, type State } from './state.ts';
import { Colourful } from './tint.tsx';

const searchPause = 150;

/** What the screen works on. */
interface Props {
  calendar: Calendar;
  /** Loads from that calendar. */
  loader: Loader;
  look: Look;
  /** Epoch milliseconds. */
  clock: () => number;
}

/** The calendar on a terminal. */
export function App({ calendar, loader, look, clock }: Props) {
  const { stdout } = useStdout();
  const [state, dispatch] = useReducer(reduce, undefined, () => initial(look, stdout.columns ?? 80, stdout.rows ?? 24));
  const { exit } = useApp();
  const listen = useRef(listener());
  useInput((input, key) => {
    for (const press of listen.current(input, key)) dispatch(press);
  });
  useEffect(() => {
    const resized = () => dispatch({ type: 'resized', columns: stdout.columns, rows: stdout.rows });
    const timer = setInterval(() => dispatch({ type: 'tick', now: clock() }), 30_000);
    stdout.on('resize', resized);
    return () => {
      clearInterval(timer);
      stdout.off('resize', resized);
    };
  }, [stdout, clock]);
  useLoading(state, dispatch, loader);
  useWriting(state, dispatch, calendar);
  useEffect(() => {
    if (state.quit) exit();
  }, [state.quit, exit]);
  return (
    <Colourful value={look.colour}>
      <Screen state={state} />
    </Colourful>
  );
}

/** Loads what the state asks for whenever that changes; while somebody types, after a pause. */
function useLoading(state: State, dispatch: (action: Action) => void, loader: Loader): void {
  const key = JSON.stringify(askOf(state));
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    let current = true;
    const ask = JSON.parse(key) as Ask;
    const run = async () => {
      try {
        for await (const part of loader.load(ask, latest.current.look)) {
          if (!current) return;
          dispatch({ type: 'loaded', ask, ...part });
        }
      } catch (reason) {
        if (current) dispatch({ type: 'failed', ask, reason });
      }
    };
    const timer = setTimeout(run, latest.current.searching ? searchPause : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, loader, dispatch]);
}

/** Writes what the state wants written, once. */
function useWriting({ work }: State, dispatch: (action: Action) => void, calendar: Calendar): void {
  useEffect(() => {
    if (!work) return;
    const { events } = calendar;
    const done =
      work.kind === 'create'
        ? events.create(work.input)
        : work.kind === 'update'
          ? events.update({ id: work.id }, work.input)
          : events.delete({ id: work.id });
    done.then(
      (entry) => dispatch({ type: 'written', work, entry }),
      (reason: unknown) => dispatch({ type: 'refused', reason }),
    );
  }, [work, calendar, dispatch]);
}
