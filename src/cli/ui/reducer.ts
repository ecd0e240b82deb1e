import { Failure } from '../../model/error.ts';
import type { Entry } from '../../model/resource.ts';
import { type Span, spanOf } from '../look/span.ts';
import { harmless } from '../print/plain.ts';
import { wordsOf } from '../print/rows.ts';
import { browsed, commanded } from './browse.ts';
import { draftOf, edited, typed } from './edit.ts';
import { type Form, formFields } from './form.ts';
import { changesOf } from './form-check.ts';
import { withKey, withText } from './form-keys.ts';
import type { Press } from './keys.ts';
import { type Ask, askOf, type State, type Work } from './state.ts';

/** What can happen to the screen. */
export type Action =
  | Press
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'tick'; now: number }
  | { type: 'loaded'; ask: Ask; spans: readonly Span[]; complete: boolean; more: boolean }
  | { type: 'failed'; ask: Ask; reason: unknown }
  | { type: 'written'; work: Work; entry: Entry }
  | { type: 'refused'; reason: unknown };

const isCurrent = (state: State, ask: Ask): boolean => JSON.stringify(ask) === JSON.stringify(askOf(state));

/** The screen after something has happened. Nothing else changes it. */
export function reduce(state: State, action: Action): State {
  const next = after(state, action);
  const same = next === state || action.type === 'loaded' || isCurrent(next, askOf(state));
  // Something else is looked at than has been loaded.
  return same ? next : { ...next, complete: false };
}

function after(state: State, action: Action): State {
  switch (action.type) {
    case 'key':
      return action.key === 'ctrl-c' ? { ...state, quit: true } : keyed(state, action.key);
    case 'text':
      return texted(state, action.text);
    case 'resized':
      return { ...state, columns: action.columns, rows: action.rows };
    case 'tick':
      return { ...state, look: { ...state.look, now: action.now } };
    case 'loaded':
      return isCurrent(state, action.ask) ? loaded(state, action) : state;
    case 'failed':
      return isCurrent(state, action.ask) ? { ...state, complete: true, failure: messageOf(action.reason) } : state;
    case 'written':
      return written(state, action.work, action.entry);
    case 'refused':
      return refused(state, action.reason);
  }
}

/** Half a page would take away what stands there; it is shown only where nothing was known. */
function loaded(state: State, { spans, complete, more }: Extract<Action, { type: 'loaded' }>): State {
  if (!complete && state.spans.length > spans.length) return state;
  return { ...state, spans, complete, more, failure: complete ? undefined : state.failure };
}

function keyed(state: State, key: string): State {
  const { over } = state;
  if (over?.kind === 'form') return formed(state, over.form, key);
  if (over?.kind === 'detail') return scrolled(state, over, key);
  if (over) return { ...state, over: undefined };
  return state.searching ? searched(state, key) : browsed(state, key);
}

function texted(state: State, text: string): State {
  const { over } = state;
  if (over?.kind === 'form') {
    if (over.form.saving) return state;
    if (over.form.leaving)
      return text === 'y' ? { ...state, over: undefined } : { ...state, over: { ...over, form: { ...over.form, leaving: false } } };
    return { ...state, over: { ...over, form: withText(over.form, text) } };
  }
  if (over?.kind === 'delete') {
    if (state.work) return state;
    return text === 'y' ? { ...state, work: { kind: 'delete', id: over.entry.id } } : { ...state, over: undefined };
  }
  if (over?.kind === 'help') return { ...state, over: undefined };
  if (state.searching) return { ...state, search: typed(state.search, text.replace(/\n/g, ' ')), at: 0, pages: 1 };
  if (over?.kind === 'detail' && !['q', 'e', 'x', '?', 'n'].includes(text)) return state;
  return commanded(state, text);
}

function searched(state: State, key: string): State {
  if (key === 'enter' || key === 'down') return { ...state, searching: false };
  if (key === 'escape') return { ...state, searching: false, search: draftOf(''), at: 0, pages: 1 };
  const search = edited(state.search, key);
  return search ? { ...state, search, at: 0, pages: 1 } : state;
}

function scrolled(state: State, over: Extract<State['over'], { kind: 'detail' }>, key: string): State {
  const steps: Record<string, number> = { up: -1, down: 1, pageup: -10, pagedown: 10, home: Number.NEGATIVE_INFINITY };
  if (key === 'escape' || key === 'left' || key === 'enter' || key === 'backspace') return { ...state, over: undefined };
  const step = steps[key];
  return step === undefined ? state : { ...state, over: { ...over, scroll: Math.max(0, over.scroll + step) } };
}

function formed(state: State, form: Form, key: string): State {
  if (form.saving) return state;
  const open = (next: Form): State => ({ ...state, over: { kind: 'form', form: next } });
  if (form.leaving) return open({ ...form, leaving: false });
  const next = withKey(form, key, state.look);
  if (next === 'close') return { ...state, over: undefined, failure: undefined };
  if (next !== 'save') return open(next);
  const input = changesOf(form, state.look);
  if (form.entry && !Object.keys(input).length) return { ...state, over: undefined, notice: 'nothing was changed' };
  const work: Work = form.entry ? { kind: 'update', id: form.entry.id, input } : { kind: 'create', input };
  return { ...open({ ...form, saving: true, failure: undefined }), work };
}

function written(state: State, work: Work, entry: Entry): State {
  const span = spanOf(entry, state.look);
  const said = { create: 'created', update: 'saved', delete: 'moved to the trash' }[work.kind];
  const day = work.kind === 'delete' || !span ? state.day : span.first;
  const same = day === state.day;
  const notice = `${said}: ${wordsOf(entry.title)}`;
  return {
    ...state,
    over: undefined,
    work: undefined,
    failure: undefined,
    notice,
    day,
    at: same ? state.at : 0,
    version: state.version + 1,
    complete: false,
  };
}

/** A refusal goes where it belongs: to the fields it names, else to the form, else to the foot of the screen. */
function refused(state: State, reason: unknown): State {
  const { over } = state;
  if (over?.kind !== 'form') return { ...state, work: undefined, over: undefined, failure: messageOf(reason) };
  const faults = faultsIn(reason);
  const first = formFields.findIndex(({ name }) => faults[name]);
  const form = { ...over.form, saving: false, refused: faults, at: first < 0 ? over.form.at : first, failure: messageOf(reason) };
  return { ...state, work: undefined, over: { kind: 'form', form } };
}

function faultsIn(reason: unknown): Record<string, string> {
  const params = reason instanceof Failure ? reason.data.params : undefined;
  if (typeof params !== 'object' || params === null) return {};
  if (Array.isArray(params)) return Object.fromEntries(params.map((name) => [String(name), 'is needed']));
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, harmless(String(text))]));
}

/** A failure in one line. */
function messageOf(reason: unknown): string {
  const message = reason instanceof Error ? reason.message : String(reason);
  return harmless(message.split('\n')[0]!) || 'something went wrong';
}
