import type { Field } from '../../../model/fields/field.ts';
import type { Display } from '../../days/display.ts';
import { editKey, insertText, type TextInput, textInput } from '../text-input.ts';
import { type Form, focusedField, formFields, isChanged, isDefault } from './form.ts';
import { faultOf, faultsOf } from './validate.ts';

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
  return withInput(form, insertText(before, field.control === 'text' ? text : text.replace(/\s*\n\s*/g, ' ')));
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

/** Returns 'save' if the form is valid; otherwise the form with all errors shown and the first one focused. */
function save(form: Form, display: Display): Form | 'save' {
  const faults = faultsOf(form, display);
  const first = formFields.findIndex(({ name }) => faults[name]);
  if (first < 0) return 'save';
  return { ...form, focused: first, visited: Object.fromEntries(formFields.map(({ name }) => [name, true])) };
}

/** Returns the error to show for a field, which is hidden until the field has been visited. */
export function visibleFault(form: Form, field: Field, display: Display): string | undefined {
  return form.rejected[field.name] ?? (form.visited[field.name] ? faultOf(form, field, display) : undefined);
}
