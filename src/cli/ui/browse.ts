import { type Day, firstOf, lastOf, monthOf, plusDays, plusMonths } from '../look/day.ts';
import { today } from '../look/look.ts';
import { draftOf } from './edit.ts';
import { formFor, newForm } from './form.ts';
import { choices, chosen, type State, type View } from './state.ts';

const moved = (state: State, day: Day): State => ({ ...state, day, at: 0, pages: 1 });

/** The same day of another month, or its last. */
function sameDay(day: Day, months: number): Day {
  const month = plusMonths(monthOf(day), months);
  const wanted = `${month}-${day.slice(-2)}`;
  return wanted > lastOf(month) ? lastOf(month) : wanted;
}

function pick(state: State, at: number): State {
  const count = choices(state).length;
  const chosenAt = Math.max(0, Math.min(count - 1, at));
  const nearEnd = state.view === 'list' && state.more && state.complete && chosenAt >= count - 10;
  return { ...state, at: chosenAt, pages: nearEnd ? state.pages + 1 : state.pages };
}

const pageOf = (state: State): number => Math.max(1, state.rows - 6);

/** What the day and the list do alike: go from event to event. */
const alongEvents: Record<string, (state: State) => State> = {
  up: (state) => pick(state, state.at - 1),
  down: (state) => pick(state, state.at + 1),
  home: (state) => pick(state, 0),
  end: (state) => pick(state, Number.POSITIVE_INFINITY),
  pageup: (state) => pick(state, state.at - pageOf(state)),
  pagedown: (state) => pick(state, state.at + pageOf(state)),
  enter: (state) => detailed(state),
};

/** What the arrows and their like do in each view. */
const movements: Record<View, Record<string, (state: State) => State>> = {
  month: {
    left: (state) => moved(state, plusDays(state.day, -1)),
    right: (state) => moved(state, plusDays(state.day, 1)),
    up: (state) => moved(state, plusDays(state.day, -7)),
    down: (state) => moved(state, plusDays(state.day, 7)),
    home: (state) => moved(state, firstOf(monthOf(state.day))),
    end: (state) => moved(state, lastOf(monthOf(state.day))),
    pageup: (state) => moved(state, sameDay(state.day, -1)),
    pagedown: (state) => moved(state, sameDay(state.day, 1)),
    enter: (state) => ({ ...state, view: 'day', at: 0 }),
    escape: (state) => ({ ...state, search: draftOf('') }),
  },
  day: {
    left: (state) => moved(state, plusDays(state.day, -1)),
    right: (state) => moved(state, plusDays(state.day, 1)),
    ...alongEvents,
    escape: (state) => ({ ...state, view: 'month', at: 0 }),
  },
  list: {
    left: (state) => moved(state, plusDays(state.day, -7)),
    right: (state) => moved(state, plusDays(state.day, 7)),
    ...alongEvents,
    escape: (state) => (state.search.value ? { ...state, search: draftOf(''), at: 0, pages: 1 } : { ...state, view: 'month', at: 0 }),
  },
};

function detailed(state: State): State {
  const span = chosen(state);
  return span ? { ...state, over: { kind: 'detail', entry: span.entry, scroll: 0 } } : state;
}

/** What letters do in every view. */
const commands: Record<string, (state: State) => State> = {
  q: (state) => ({ ...state, quit: true }),
  '?': (state) => ({ ...state, over: { kind: 'help' } }),
  m: (state) => ({ ...state, view: 'month', at: 0 }),
  d: (state) => ({ ...state, view: 'day', at: 0 }),
  l: (state) => ({ ...state, view: 'list', at: 0, pages: 1 }),
  t: (state) => moved(state, today(state.look)),
  '<': (state) => moved(state, sameDay(state.day, -1)),
  '>': (state) => moved(state, sameDay(state.day, 1)),
  '/': (state) => ({ ...state, view: 'list', searching: true, at: 0, pages: 1 }),
  n: (state) => ({ ...state, over: { kind: 'form', form: newForm(state.day, state.look.tz) } }),
  e: (state) => {
    const entry = target(state);
    return entry ? { ...state, over: { kind: 'form', form: formFor(entry) } } : state;
  },
  x: (state) => {
    const entry = target(state);
    return entry ? { ...state, over: { kind: 'delete', entry } } : state;
  },
  r: (state) => ({ ...state, version: state.version + 1, complete: false, failure: undefined, notice: undefined }),
};

/** The event that a command is about: the one in detail, or the one that is chosen. */
const target = (state: State) => (state.over?.kind === 'detail' ? state.over.entry : chosen(state)?.entry);

/** The screen after a letter while no form is open. */
export function commanded(state: State, letter: string): State {
  return commands[letter]?.({ ...state, notice: undefined }) ?? state;
}

/** The screen after a key while nothing lies over the view. */
export function browsed(state: State, key: string): State {
  return movements[state.view][key]?.({ ...state, notice: undefined }) ?? state;
}
