import type { Field } from '../../../model/fields/field.ts';
import type { Display } from '../../days/display.ts';
import { editKey, insertText, type TextInput, textInput } from '../text-input.ts';
import { current, type Form, formFields, isChanged, isDefault } from './form.ts';
import { faultOf, faultsOf } from './validate.ts';

function focus(form: Form, index: number): Form {
  const focused = Math.max(0, Math.min(formFields.length - 1, index));
  return { ...form, focused, visited: { ...form.visited, [current(form).name]: true } };
}

function withInput(form: Form, draft: TextInput): Form {
  const { name } = current(form);
  const { [name]: _, ...refused } = form.refused;
  return { ...form, values: { ...form.values, [name]: draft }, refused };
}

/** The form with the focused switch toggled, or the next of its choices. */
function cycle(form: Form, step: number): Form {
  const { name, options = [] } = current(form);
  const index = options.indexOf(form.values[name]!.value);
  return withInput(form, textInput(options[(index + step + options.length) % options.length]!));
}

/** The form after text was typed or pasted. */
export function withText(form: Form, text: string): Form {
  const field = current(form);
  if (field.options) return text === ' ' ? cycle(form, 1) : form;
  const before = isDefault(form, field) ? textInput('') : form.values[field.name]!;
  return withInput(form, insertText(before, field.control === 'text' ? text : text.replace(/\s*\n\s*/g, ' ')));
}

/** The form after a key; 'save' to save a form without faults, 'close' to leave it. */
export function withKey(form: Form, key: string, display: Display): Form | 'save' | 'close' {
  const field = current(form);
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

/** 'save' without faults; else the form with all faults shown and the first one focused. */
function save(form: Form, display: Display): Form | 'save' {
  const faults = faultsOf(form, display);
  const first = formFields.findIndex(({ name }) => faults[name]);
  if (first < 0) return 'save';
  return { ...form, focused: first, visited: Object.fromEntries(formFields.map(({ name }) => [name, true])) };
}

/** The fault shown for a field; undefined until the field was left once. */
export function visibleFault(form: Form, field: Field, display: Display): string | undefined {
  return form.refused[field.name] ?? (form.visited[field.name] ? faultOf(form, field, display) : undefined);
}
