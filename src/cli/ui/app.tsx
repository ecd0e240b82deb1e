import { useApp, useInput, useStdout } from 'ink';
import { useEffect, useReducer, useRef } from 'react';
import type { Calendar, Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { Display } from '../days/display.ts';
import { questionsFor } from './form/new-names.ts';
import { keyListener } from './keys.ts';
import type { Loader } from './loader.ts';
import { reduce, type UiAction } from './reducer.ts';
import { type EventQuery, initialState, screenQuery, type Task, type UiState } from './state.ts';
import { Colored } from './views/frame.tsx';
import { Screen } from './views/screen.tsx';

/** Delay after a keystroke before a search is loaded, in ms. */
const searchDelayMs = 150;
const tickMs = 30_000;

interface Props {
  calendar: Calendar;
  loader: Loader;
  display: Display;
  /** Epoch milliseconds. */
  clock: () => number;
}

export function App({ calendar, loader, display, clock }: Props) {
  const { stdout } = useStdout();
  const [state, dispatch] = useReducer(reduce, undefined, () =>
    initialState(display, stdout.columns || 80, stdout.rows || 24, Object.keys(loader.query)),
  );
  const { exit } = useApp();
  const listen = useRef(keyListener());
  useInput((input, key) => {
    for (const press of listen.current(input, key)) dispatch(press);
  });
  useEffect(() => {
    const resized = () => dispatch({ type: 'resized', columns: stdout.columns || 80, rows: stdout.rows || 24 });
    const timer = setInterval(() => dispatch({ type: 'tick', now: clock() }), tickMs);
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
    <Colored value={display.color}>
      <Screen state={state} />
    </Colored>
  );
}

/** Loads the state's query whenever it changes, with a delay while the user types a search. */
function useLoading(state: UiState, dispatch: (action: UiAction) => void, loader: Loader): void {
  const key = JSON.stringify(screenQuery(state));
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    let current = true;
    const query = JSON.parse(key) as EventQuery;
    const run = async () => {
      try {
        for await (const part of loader.load(query, latest.current.display)) {
          if (!current) return;
          dispatch({ type: 'loaded', query, ...part });
        }
      } catch (reason) {
        if (current) dispatch({ type: 'failed', query, reason });
      }
    };
    const timer = setTimeout(run, latest.current.searching ? searchDelayMs : 0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, loader, dispatch]);
}

/** Runs the state's task once. Prompts first if it would create linked records. */
function useWriting({ task }: UiState, dispatch: (action: UiAction) => void, calendar: Calendar): void {
  useEffect(() => {
    if (!task) return;
    const run = async () => {
      const questions = 'named' in task && task.named ? await questionsFor(calendar, task.named) : [];
      if (questions.length) dispatch({ type: 'questions', questions });
      else dispatch({ type: 'written', task, entry: await runTask(task, calendar) });
    };
    run().catch((reason: unknown) => dispatch({ type: 'rejected', reason }));
  }, [task, calendar, dispatch]);
}

async function runTask(task: Task, { events }: Calendar): Promise<Entry> {
  if (task.kind === 'create') return events.create(task.input);
  const ref = { id: task.id };
  if (task.kind === 'undo' && task.modified !== undefined && (await events.get(ref)).modified !== task.modified)
    throw new Failure('conflict', 'The event was changed since');
  return task.kind !== 'delete' && task.input ? events.update(ref, task.input) : events.delete(ref);
}
