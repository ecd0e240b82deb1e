import type { Field } from '../../model/field.ts';
import type { Look } from '../look/look.ts';
import { type Draft, draftOf, edited, typed } from './edit.ts';
import { current, type Form, formFields, isChanged } from './form.ts';
import { faultOf, faultsOf } from './form-check.ts';

function to(form: Form, at: number): Form {
  const bounded = Math.max(0, Math.min(formFields.length - 1, at));
  return { ...form, at: bounded, visited: { ...form.visited, [current(form).name]: true } };
}

function withDraft(form: Form, draft: Draft): Form {
  const { name } = current(form);
  const { [name]: _, ...refused } = form.refused;
  return { ...form, values: { ...form.values, [name]: draft }, refused };
}

/** The other value of a switch, or the next of a field's choices. */
function turned(form: Form, step: number): Form {
  const { name, choices } = current(form);
  const options = choices ? choices.filter((choice) => !['auto-draft', 'inherit', 'trash'].includes(choice)) : ['no', 'yes'];
  const at = options.indexOf(form.values[name]!.value);
  return withDraft(form, draftOf(options[(at + step + options.length) % options.length]!));
}

const isTurned = (field: Field): boolean => !field.placeholder || field.choices !== undefined;

/** The form after a text was typed or pasted. */
export function withText(form: Form, text: string): Form {
  const field = current(form);
  if (isTurned(field)) return text === ' ' ? turned(form, 1) : form;
  return withDraft(form, typed(form.values[field.name]!, field.name === 'description' ? text : text.replace(/\s*\n\s*/g, ' ')));
}

/** The form after a key; 'save' when it is to be saved and nothing is wrong, 'close' when it is done with. */
export function withKey(form: Form, key: string, look: Look): Form | 'save' | 'close' {
  const field = current(form);
  if (key === 'escape') return isChanged(form) ? { ...form, leaving: true } : 'close';
  if (key === 'ctrl-s') return saved(form, look);
  if (key === 'tab' || key === 'down') return to(form, form.at + 1);
  if (key === 'backtab' || key === 'up') return to(form, form.at - 1);
  if (key === 'pagedown') return to(form, formFields.length - 1);
  if (key === 'pageup') return to(form, 0);
  if (key === 'enter') return field.name === 'description' ? withText(form, '\n') : to(form, form.at + 1);
  if (isTurned(field)) return key === 'left' || key === 'right' ? turned(form, key === 'left' ? -1 : 1) : form;
  const draft = edited(form.values[field.name]!, key);
  return draft ? withDraft(form, draft) : form;
}

/** Either it may be saved, or the cursor goes to the first fault and all are shown. */
function saved(form: Form, look: Look): Form | 'save' {
  const faults = faultsOf(form, look);
  const first = formFields.findIndex(({ name }) => faults[name]);
  if (first < 0) return 'save';
  return { ...form, at: first, visited: Object.fromEntries(formFields.map(({ name }) => [name, true])) };
}

/** What the form says is wrong with a field by now; undefined while nobody has left it. */
export function shownFault(form: Form, field: Field, look: Look): string | undefined {
  return form.refused[field.name] ?? (form.visited[field.name] ? faultOf(form, field, look) : undefined);
}
