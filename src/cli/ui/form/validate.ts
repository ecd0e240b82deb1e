import type { Input } from '../../../model/calendar.ts';
import { Failure } from '../../../model/error.ts';
import { dateText } from '../../../model/fields/coerce.ts';
import type { Field } from '../../../model/fields/field.ts';
import type { DateTime } from '../../../model/time/datetime.ts';
import { readDate } from '../../../model/time/parse-date.ts';
import { type ResolvedSpan, resolveSpan, spanRules } from '../../../model/time/span.ts';
import { wallOf } from '../../../model/time/time.ts';
import { typedDateFault } from '../../../model/time/typed/faults.ts';
import { typedDate } from '../../../model/time/typed/typed-date.ts';
import { nextDate } from '../../../model/time/typed/years.ts';
import { isZone } from '../../../model/time/zone.ts';
import type { Display } from '../../days/display.ts';
import { checkContext } from '../../records/input.ts';
import { editKey, insertText, type TextInput, textInput } from '../text-input.ts';
import { type Form, focusedField, formFields, isChanged, isDefault, isTermLink, postLink, separator } from './form.ts';

const textIn = (form: Form, name: string): string => form.values[name]!.value.trim();

/** A date of a form; without a year it is the first from today, the end the first from the start. */
function dateIn(form: Form, name: string, display: Display): string {
  const start = name === 'end_date' && textIn(form, 'start_date') ? dateIn(form, 'start_date', display) : '';
  const zone = zoneOf(form, display);
  const first = (start && readDate(start, display.now, zone)?.wall) || wallOf(display.now, zone);
  return dateText(nextDate(typedDate(textIn(form, name)), first.slice(0, 10)));
}

function zoneOf(form: Form, display: Display): string {
  const zoneText = textIn(form, 'timezone');
  return zoneText && isZone(zoneText) ? zoneText : display.here;
}

/** The span of a form's event; undefined while its dates are invalid. Throws `rest_invalid_param` if it ends before it starts. */
function spanOf(form: Form, display: Display): ResolvedSpan | undefined {
  const [start, end] = [dateIn(form, 'start_date', display), dateIn(form, 'end_date', display)];
  if (!start) return undefined;
  const span = { start, end: end || undefined, allDay: isAllDay(form) };
  return resolveSpan(span, undefined, spanRules.people, { now: display.now, zone: zoneOf(form, display) });
}

/** The start or end of a form as wall time; undefined while it is invalid. */
export function typedMoment(form: Form, name: 'start_date' | 'end_date', display: Display): DateTime | undefined {
  try {
    return spanOf(form, display)?.[name === 'start_date' ? 'start' : 'end'].wall;
  } catch {
    return readDate(dateIn(form, name, display), display.now, zoneOf(form, display))?.wall;
  }
}

const isAllDay = (form: Form): boolean => form.values.all_day!.value === 'yes';

export function formInput(form: Form, name: string, display: Display): unknown {
  const text = textIn(form, name);
  if (name === 'start_date' || name === 'end_date') return typedMoment(form, name, display) ?? text;
  if (name === 'all_day') return text === 'yes';
  if (isTermLink(name)) return splitList(text, ',');
  const post = postLink(name);
  if (post) return splitList(text, separator).map((each) => linkedAs(form, name, post.label, each));
  const { typed } = formFields.find((field) => field.name === name)!;
  if (typed) return typed(text).list;
  return name === 'description' ? form.values[name]!.value : text;
}

/** Splits a text at a separator and trims the parts. */
export const splitList = (text: string, mark: string): string[] =>
  text
    .split(mark)
    .map((part) => part.trim())
    .filter(Boolean);

/** A linked record by ID if it is already linked or given by ID; otherwise by name, which creates an unknown one. */
function linkedAs(form: Form, field: string, label: string, name: string): Input {
  const before = form.entry?.[field];
  const linked = (Array.isArray(before) ? before : [before]) as Record<string, unknown>[];
  const first = splitList(form.initial[field]!, separator).indexOf(name);
  if (first >= 0 && linked[first]?.id !== undefined) return { id: linked[first].id };
  return /^#?\d+$/.test(name) ? { id: Number(name.replace('#', '')) } : { [label]: name };
}

export function faultOf(form: Form, field: Field, display: Display): string | undefined {
  const { name } = field;
  const text = textIn(form, name);
  const isChanged = form.values[name]!.value !== form.initial[name];
  if (form.entry && !isChanged) return undefined;
  if (text === '' && field.required) return name === 'end_date' ? undefined : 'is needed';
  if (text === '' && !form.entry) return undefined;
  const typed = field.topic === 'dates' ? typedDateFault(dateIn(form, name, display)) : undefined;
  if (typed) return `${typed.isAmbiguous ? 'is ambiguous: ' : ''}${typed.reason}. ${typed.hint}`;
  const fault =
    field.typed?.(text).reason ??
    field.check(
      name === 'end_date' || name === 'start_date' ? dateIn(form, name, display) : formInput(form, name, display),
      checkContext(display.now, zoneOf(form, display)),
    );
  if (fault) return fault;
  if (name !== 'end_date') return undefined;
  try {
    spanOf(form, display);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return 'is before the start';
  }
}

export function faultsOf(form: Form, display: Display): Record<string, string> {
  const faults = formFields.map((field) => [field.name, form.rejected[field.name] ?? faultOf(form, field, display)] as const);
  return Object.fromEntries(faults.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

/** The input to send: all filled fields of a new event, the changed fields of an existing one. */
export function changesOf(form: Form, display: Display): Input {
  const changedFields = formFields.filter(({ name }) => {
    if (form.entry) return form.values[name]!.value !== form.initial[name];
    return textIn(form, name) !== '' || name === 'end_date';
  });
  return Object.fromEntries(changedFields.map(({ name }) => [name, formInput(form, name, display)]));
}

function focus(form: Form, index: number): Form {
  const focused = Math.max(0, Math.min(formFields.length - 1, index));
  return { ...form, focused, visited: { ...form.visited, [focusedField(form).name]: true } };
}

function withInput(form: Form, draft: TextInput): Form {
  const { name } = focusedField(form);
  const { [name]: _, ...rejected } = form.rejected;
  return { ...form, values: { ...form.values, [name]: draft }, rejected };
}

/** Selects the next choice of the focused field. */
function cycle(form: Form, step: number): Form {
  const { name, options = [] } = focusedField(form);
  const index = options.indexOf(form.values[name]!.value);
  return withInput(form, textInput(options[(index + step + options.length) % options.length]!));
}

/** Applies typed or pasted text. */
export function withText(form: Form, text: string): Form {
  const field = focusedField(form);
  if (field.options) return text === ' ' ? cycle(form, 1) : form;
  const before = isDefault(form, field) ? textInput('') : form.values[field.name]!;
  return withInput(form, insertText(before, field.control === 'text' ? text : text.replace(/(?<!\s)\s*\n\s*/g, ' ')));
}

/** Applies a key. Returns 'save' for a valid form and 'close' to close it. */
export function withKey(form: Form, key: string, display: Display): Form | 'save' | 'close' {
  const field = focusedField(form);
  if (key === 'escape') return isChanged(form) ? { ...form, leaving: true } : 'close';
  if (key === 'ctrl-s') return save(form, display);
  if (key === 'tab' || key === 'down') return focus(form, form.focused + 1);
  if (key === 'backtab' || key === 'up') return focus(form, form.focused - 1);
  if (key === 'pagedown') return focus(form, formFields.length - 1);
  if (key === 'pageup') return focus(form, 0);
  if (key === 'enter') return field.control === 'text' ? withText(form, '\n') : focus(form, form.focused + 1);
  if (field.options) return key === 'left' || key === 'right' ? cycle(form, key === 'left' ? -1 : 1) : form;
  const draft = editKey(form.values[field.name]!, key);
  return draft ? withInput(form, draft) : form;
}

/** 'save' if the form is valid; otherwise the form with all errors shown and the first one focused. */
function save(form: Form, display: Display): Form | 'save' {
  const faults = faultsOf(form, display);
  const first = formFields.findIndex(({ name }) => faults[name]);
  if (first < 0) return 'save';
  return { ...form, focused: first, visited: Object.fromEntries(formFields.map(({ name }) => [name, true])) };
}

/** The error to show for a field, which is hidden until the field has been visited. */
export function visibleFault(form: Form, field: Field, display: Display): string | undefined {
  return form.rejected[field.name] ?? (form.visited[field.name] ? faultOf(form, field, display) : undefined);
}
