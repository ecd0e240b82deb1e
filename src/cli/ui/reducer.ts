import type { Entry } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { type Span, spanOf } from '../days/span.ts';
import { displayText } from '../print/words.ts';
import { escapeControls } from '../terminal/safe-output.ts';
import { type Form, formFields, formFor } from './form/form.ts';
import { type NamedRecord, namedIn } from './form/new-names.ts';
import { changesOf, formInput, withKey, withText } from './form/validate.ts';
import type { KeyPress } from './keys.ts';
import { helpHeight, helpLines } from './keys.ts';
import { onKey, onLetter, onTarget } from './navigation.ts';
import { type EventQuery, screenQuery, selectWritten, type Task, toggled, type UiState, withChoices } from './state.ts';
import { editKey, insertText, textInput } from './text-input.ts';
import { hasPanes, targetAt } from './views/layout.ts';

/** Everything that changes the state. */
export type UiAction =
  | KeyPress
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'tick'; now: number }
  | { type: 'loaded'; query: EventQuery; spans: readonly Span[]; complete: boolean; more: boolean }
  | { type: 'failed'; query: EventQuery; reason: unknown }
  | { type: 'written'; task: Task; entry: Entry }
  | { type: 'questions'; questions: readonly [field: string, question: string][] }
  | { type: 'rejected'; reason: unknown };

const isCurrent = (state: UiState, query: EventQuery): boolean => JSON.stringify(query) === JSON.stringify(screenQuery(state));

/** The state after an action. */
export function reduce(state: UiState, action: UiAction): UiState {
  const next = reduceAction(state, action);
  const same = next === state || action.type === 'loaded' || isCurrent(next, screenQuery(state));
  // What is loaded no longer answers the query.
  return same ? next : { ...next, complete: false };
}

function reduceAction(state: UiState, action: UiAction): UiState {
  switch (action.type) {
    case 'key':
      return action.key === 'ctrl-c' ? { ...state, quit: true } : onKeyPressed(state, action.key);
    case 'text':
      return onTextTyped(state, action.text);
    case 'click':
      return onClick(state, action);
    case 'resized':
      return { ...state, columns: action.columns, rows: action.rows };
    case 'tick':
      return { ...state, display: { ...state.display, now: action.now } };
    case 'loaded':
      return isCurrent(state, action.query) ? onLoaded(state, action) : state;
    case 'failed':
      return isCurrent(state, action.query) ? { ...state, complete: true, failure: messageOf(action.reason) } : state;
    case 'written':
      return onWritten(state, action.task, action.entry);
    case 'questions':
      return onQuestions(state, action.questions);
    case 'rejected':
      return onRejected(state, action.reason);
  }
}

/** Ignores incomplete results that contain fewer events than are shown. */
function onLoaded(state: UiState, { spans, complete, more }: Extract<UiAction, { type: 'loaded' }>): UiState {
  if (!complete && state.spans.length > spans.length) return state;
  const choices = withChoices(state.choices, spans, state.fixed);
  const next = { ...state, spans, choices, complete, more, failure: complete ? undefined : state.failure };
  return state.savedId === undefined ? next : selectWritten(next);
}

function onKeyPressed(state: UiState, key: string): UiState {
  const { overlay } = state;
  if (overlay?.kind === 'form') return onFormKey(state, overlay, key);
  if (overlay?.kind === 'detail') return onDetailKey(state, overlay, key);
  if (overlay?.kind === 'help') return onHelpKey(state, overlay, key);
  if (overlay?.kind === 'filter') return onFilterKey(state, overlay, key);
  if (overlay) return { ...state, overlay: overlay.from };
  return state.searching ? onSearchKey(state, key) : onKey(state, key);
}

/** A click closes the help, and selects in a view or beside a detail. */
function onClick(state: UiState, { column, row }: Extract<UiAction, { type: 'click' }>): UiState {
  const { overlay } = state;
  if (overlay?.kind === 'help') return { ...state, overlay: undefined };
  if (overlay && (overlay.kind !== 'detail' || !hasPanes(state))) return state;
  const target = targetAt(state, column, row);
  return target ? onTarget({ ...state, overlay: undefined, searching: false, notice: undefined }, target) : state;
}

function onTextTyped(state: UiState, text: string): UiState {
  const { overlay } = state;
  if (overlay?.kind === 'form') {
    if (overlay.form.saving) return state;
    if (overlay.form.questions) return onAnswer(state, overlay.form, text === 'y');
    if (overlay.form.leaving)
      return text === 'y'
        ? { ...state, overlay: overlay.from }
        : { ...state, overlay: { ...overlay, form: { ...overlay.form, leaving: false } } };
    return { ...state, overlay: { ...overlay, form: withText(overlay.form, text) } };
  }
  if (overlay?.kind === 'delete') {
    if (state.task) return state;
    return text === 'y' ? { ...state, task: { kind: 'delete', id: overlay.entry.id } } : { ...state, overlay: overlay.from };
  }
  if (overlay?.kind === 'help') return { ...state, overlay: undefined };
  if (overlay?.kind === 'filter') return onFilterText(state, overlay, text);
  if (state.searching) return { ...state, search: insertText(state.search, text.replace(/\n/g, ' ')), selected: 0, pages: 1 };
  if (overlay?.kind === 'detail' && !['q', 'e', 'x', 'u', '?', 'n'].includes(text)) return state;
  return onLetter(state, text);
}

function onSearchKey(state: UiState, key: string): UiState {
  if (key === 'enter' || key === 'down') return { ...state, searching: false };
  if (key === 'escape') return { ...state, searching: false, search: textInput(''), selected: 0, pages: 1 };
  const search = editKey(state.search, key);
  return search ? { ...state, search, selected: 0, pages: 1 } : state;
}

const steps: Record<string, number> = { up: -1, down: 1, pageup: -10, pagedown: 10, home: Number.NEGATIVE_INFINITY };

/** Scrolls the help if it doesn't fit on the screen. Other keys close it. */
function onHelpKey(state: UiState, overlay: Extract<UiState['overlay'], { kind: 'help' }>, key: string): UiState {
  const room = helpHeight(state.rows);
  const step = helpLines > room ? steps[key] : undefined;
  if (step === undefined) return { ...state, overlay: undefined };
  return { ...state, overlay: { ...overlay, scroll: Math.max(0, Math.min(helpLines - room, overlay.scroll + step)) } };
}

type FilterOverlay = Extract<UiState['overlay'], { kind: 'filter' }>;

/** Moves between the choices of the filter; Enter selects like Space, Escape closes. */
function onFilterKey(state: UiState, overlay: FilterOverlay, key: string): UiState {
  if (key === 'enter') return onFilterText(state, overlay, ' ');
  if (key === 'escape' || key === 'left' || key === 'backspace') return { ...state, overlay: undefined };
  const step = key === 'end' ? Number.POSITIVE_INFINITY : (steps[key] ?? 0);
  const selected = Math.max(0, Math.min(state.choices.length - 1, overlay.selected + step));
  return { ...state, overlay: { ...overlay, selected } };
}

function onFilterText(state: UiState, overlay: FilterOverlay, text: string): UiState {
  if (text === 'f' || text === 'q') return { ...state, overlay: undefined };
  const choice = state.choices[overlay.selected];
  const filter = text === 'c' ? [] : text === ' ' && choice ? toggled(state.filter, choice) : state.filter;
  return filter === state.filter ? state : { ...state, filter, selected: 0, pages: 1 };
}

function onDetailKey(state: UiState, overlay: Extract<UiState['overlay'], { kind: 'detail' }>, key: string): UiState {
  if (key === 'escape' || key === 'left' || key === 'enter' || key === 'backspace') return { ...state, overlay: undefined };
  const step = steps[key];
  return step === undefined ? state : { ...state, overlay: { ...overlay, scroll: Math.max(0, overlay.scroll + step) } };
}

type FormOverlay = Extract<UiState['overlay'], { kind: 'form' }>;

function onFormKey(state: UiState, overlay: FormOverlay, key: string): UiState {
  const { form } = overlay;
  if (form.saving) return state;
  const open = (next: Form): UiState => ({ ...state, overlay: { ...overlay, form: next } });
  if (form.questions) return onAnswer(state, form, false);
  if (form.leaving) return open({ ...form, leaving: false });
  const next = withKey(form, key, state.display);
  if (next === 'close') return { ...state, overlay: overlay.from, failure: undefined };
  if (next !== 'save') return open(next);
  return onSave(state, form, namedIn(form));
}

/** Starts the task that saves a form. `named` records that don't exist are confirmed first. */
function onSave(state: UiState, form: Form, records: readonly NamedRecord[]): UiState {
  const input = changesOf(form, state.display);
  if (form.entry && !Object.keys(input).length) return { ...state, overlay: undefined, notice: 'No changes' };
  const content = { input, ...(records.length ? { named: records } : {}) };
  const task: Task = form.entry ? { kind: 'update', id: form.entry.id, ...content } : { kind: 'create', ...content };
  return { ...state, overlay: { kind: 'form', form: { ...form, saving: true, failure: undefined, questions: undefined } }, task };
}

/** Prompts before records are created. */
function onQuestions(state: UiState, questions: readonly [field: string, question: string][]): UiState {
  const { overlay } = state;
  if (overlay?.kind !== 'form') return { ...state, task: undefined };
  const focused = formFields.findIndex(({ name }) => name === questions[0]![0]);
  return { ...state, task: undefined, overlay: { kind: 'form', form: { ...overlay.form, saving: false, focused, questions } } };
}

/** Handles the answer to the first question. Yes to the last question saves the event; no returns to the field. */
function onAnswer(state: UiState, form: Form, yes: boolean): UiState {
  const [, ...left] = form.questions!;
  if (!yes) return { ...state, overlay: { kind: 'form', form: { ...form, questions: undefined } } };
  return left.length ? onQuestions({ ...state, overlay: { kind: 'form', form } }, left) : onSave(state, form, []);
}

const outcomes: Record<Task['kind'], string> = { create: 'Created', update: 'Saved', delete: 'Moved to the trash', undo: 'Undone' };

function onWritten(state: UiState, task: Task, entry: Entry): UiState {
  const span = spanOf(entry, state.display);
  const isHidden = task.kind === 'delete' || (task.kind === 'undo' && !task.input) || state.view === 'trash' || !span;
  const undo = undoOf(state, task, entry);
  return {
    ...state,
    overlay: undefined,
    task: undefined,
    failure: undefined,
    notice: `${outcomes[task.kind]}: ${displayText(entry.title)}${undo ? '  u to undo' : ''}`,
    undo,
    day: isHidden ? state.day : span.first,
    savedId: isHidden ? undefined : entry.id,
    version: state.version + 1,
    complete: false,
  };
}

/** Returns what takes back a task that was run while its form or prompt was open. */
function undoOf({ overlay, display }: UiState, task: Task, { id, modified }: Entry): UiState['undo'] {
  const undo = { kind: 'undo', id: Number(id) } as const;
  if (task.kind === 'create') return { ...undo, modified: String(modified) };
  if (task.kind === 'delete' && overlay?.kind === 'delete')
    return { ...undo, input: { status: overlay.entry.status, slug: overlay.entry.slug } };
  if (task.kind !== 'update' || overlay?.kind !== 'form' || !overlay.form.entry) return undefined;
  const before = formFor(overlay.form.entry);
  const input = Object.fromEntries(Object.keys(task.input).map((name) => [name, formInput(before, name, display)]));
  return { ...undo, input, modified: String(modified) };
}

/** Shows an error at the fields it names, else in the form, else in the footer. */
function onRejected(state: UiState, reason: unknown): UiState {
  const { overlay } = state;
  if (overlay?.kind !== 'form') return { ...state, task: undefined, overlay: undefined, failure: messageOf(reason) };
  const faults = faultsIn(reason);
  const first = formFields.findIndex(({ name }) => faults[name]);
  const form = {
    ...overlay.form,
    saving: false,
    rejected: faults,
    focused: first < 0 ? overlay.form.focused : first,
    failure: messageOf(reason),
  };
  return { ...state, task: undefined, overlay: { kind: 'form', form } };
}

function faultsIn(reason: unknown): Record<string, string> {
  const params = reason instanceof Failure ? reason.data.params : undefined;
  if (typeof params !== 'object' || params === null) return {};
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), 'is required']));
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, escapeControls(String(text))]));
}

function messageOf(reason: unknown): string {
  const message = reason instanceof Error ? reason.message : String(reason);
  return escapeControls(message.split('\n')[0]!) || 'Unexpected error';
}
