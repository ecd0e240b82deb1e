import { type Day, firstOf, lastOf, monthOf, plusDays, plusMonths } from '../../model/time/days.ts';
import { today } from '../days/display.ts';
import { formFor, newForm } from './form/form.ts';
import { isOfDays, selectable, selectedSpan, selectWritten, type UiState, type View } from './state.ts';
import { textInput } from './text-input.ts';

const goTo = (state: UiState, day: Day): UiState => ({ ...state, day, selected: 0, savedId: undefined, pages: 1 });

/** The same day in another month, or the last day of that month. */
function sameDay(day: Day, months: number): Day {
  const month = plusMonths(monthOf(day), months);
  const sameDay = `${month}-${day.slice(-2)}`;
  return sameDay > lastOf(month) ? lastOf(month) : sameDay;
}

function select(state: UiState, index: number): UiState {
  const count = selectable(state).length;
  const selected = Math.max(0, Math.min(count - 1, index));
  const nearEnd = state.view === 'list' && state.more && state.complete && selected >= count - 10;
  return { ...state, selected, savedId: undefined, pages: nearEnd ? state.pages + 1 : state.pages };
}

const pageRows = (state: UiState): number => Math.max(1, state.rows - 6);

/** Keys of the day and the list. */
const eventKeys: Record<string, (state: UiState) => UiState> = {
  up: (state) => select(state, state.selected - 1),
  down: (state) => select(state, state.selected + 1),
  home: (state) => select(state, 0),
  end: (state) => select(state, Number.POSITIVE_INFINITY),
  pageup: (state) => select(state, state.selected - pageRows(state)),
  pagedown: (state) => select(state, state.selected + pageRows(state)),
  enter: (state) => openDetail(state),
};

/** Keys for the next and the previous day. */
const neighborKeys: Record<string, (state: UiState) => UiState> = {
  left: (state) => goTo(state, plusDays(state.day, -1)),
  right: (state) => goTo(state, plusDays(state.day, 1)),
};

/** Keys of the month. */
const dayKeys: Record<string, (state: UiState) => UiState> = {
  ...neighborKeys,
  up: (state) => goTo(state, plusDays(state.day, -7)),
  down: (state) => goTo(state, plusDays(state.day, 7)),
  home: (state) => goTo(state, firstOf(monthOf(state.day))),
  end: (state) => goTo(state, lastOf(monthOf(state.day))),
  pageup: (state) => goTo(state, sameDay(state.day, -1)),
  pagedown: (state) => goTo(state, sameDay(state.day, 1)),
  enter: (state) => selectWritten({ ...state, view: 'day' }),
};

/** Movement keys of each view. */
const movements: Record<View, Record<string, (state: UiState) => UiState>> = {
  month: { ...dayKeys, escape: (state) => ({ ...state, search: textInput('') }) },
  week: {
    ...neighborKeys,
    ...eventKeys,
    pageup: (state) => goTo(state, plusDays(state.day, -7)),
    pagedown: (state) => goTo(state, plusDays(state.day, 7)),
    escape: (state) => showGrid(state, 'month'),
  },
  day: { ...neighborKeys, ...eventKeys, escape: (state) => showGrid(state, state.grid) },
  trash: { ...eventKeys, escape: (state) => showGrid(state, state.grid) },
  list: {
    left: (state) => goTo(state, plusDays(state.day, -7)),
    right: (state) => goTo(state, plusDays(state.day, 7)),
    ...eventKeys,
    escape: (state) => (state.search.value ? { ...state, search: textInput(''), selected: 0, pages: 1 } : showGrid(state, state.grid)),
  },
};

function openDetail(state: UiState): UiState {
  const span = selectedSpan(state);
  return span ? { ...state, overlay: { kind: 'detail', entry: span.entry, scroll: 0 } } : state;
}

const showGrid = (state: UiState, grid: UiState['grid']): UiState => ({ ...state, view: grid, grid, selected: 0 });

/** The day in the next or the previous month, week, or day. */
function periodFrom({ view, day }: UiState, step: 1 | -1): Day {
  return view === 'month' ? sameDay(day, step) : plusDays(day, view === 'day' ? step : 7 * step);
}

/** Letter keys of every view. */
const commands: Record<string, (state: UiState) => UiState> = {
  q: (state) => ({ ...state, quit: true }),
  '?': (state) => ({ ...state, overlay: { kind: 'help', scroll: 0 } }),
  m: (state) => showGrid(state, 'month'),
  w: (state) => selectWritten(showGrid(state, 'week')),
  d: (state) => selectWritten({ ...state, view: 'day' }),
  l: (state) => selectWritten({ ...state, view: 'list', pages: 1 }),
  T: (state) => ({ ...state, view: 'trash', selected: 0, spans: [] }),
  t: (state) => goTo(state, today(state.display)),
  j: (state) => goTo(state, periodFrom(state, 1)),
  k: (state) => goTo(state, periodFrom(state, -1)),
  '<': (state) => goTo(state, sameDay(state.day, -1)),
  '>': (state) => goTo(state, sameDay(state.day, 1)),
  f: (state) => ({ ...state, overlay: { kind: 'filter', selected: 0 } }),
  '/': (state) => ({ ...state, view: 'list', searching: true, selected: 0, pages: 1 }),
  n: (state) => ({ ...state, overlay: { kind: 'form', form: newForm(state.day, state.display), from: state.overlay } }),
  e: (state) => {
    const entry = target(state);
    return entry && state.view !== 'trash' ? { ...state, overlay: { kind: 'form', form: formFor(entry), from: state.overlay } } : state;
  },
  x: (state) => {
    const entry = target(state);
    return entry && state.view !== 'trash' ? { ...state, overlay: { kind: 'delete', entry, from: state.overlay } } : state;
  },
  u: (state) => {
    const entry = state.view === 'trash' ? target(state) : undefined;
    const task = entry ? ({ kind: 'undo', id: Number(entry.id), input: { status: 'publish' } } as const) : state.undo;
    return task && !state.task ? { ...state, task } : { ...state, notice: task ? undefined : 'Nothing to undo' };
  },
  r: (state) => ({ ...state, version: state.version + 1, complete: false, failure: undefined, notice: undefined }),
};

/** The event that a command applies to: the one shown in detail, else the selected one. */
const target = (state: UiState) => (state.overlay?.kind === 'detail' ? state.overlay.entry : selectedSpan(state)?.entry);

/** The state after a letter while no form is open. */
export function onLetter(state: UiState, letter: string): UiState {
  return commands[letter]?.({ ...state, notice: undefined }) ?? state;
}

/** The state after a key while there is no overlay. */
export function onKey(state: UiState, key: string): UiState {
  return movements[state.view][key]?.({ ...state, notice: undefined }) ?? state;
}

/** The state after a click on a day or an event: a day is selected, then opened; an event is opened. */
export function onTarget(state: UiState, { day, event }: { day?: Day; event?: number }): UiState {
  if (day === undefined) return state;
  const at = state.view === 'list' || state.day === day ? state : goTo(state, day);
  if (event === undefined) return isOfDays(state) && state.day === day ? selectWritten({ ...state, view: 'day' }) : at;
  const view = isOfDays(at) ? { ...at, view: 'day' as const } : at;
  const selected = selectable(view).findIndex(({ entry }) => entry.id === event);
  return selected < 0 ? at : openDetail({ ...view, selected, savedId: undefined });
}
