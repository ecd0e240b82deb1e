import { context } from '../context.ts';
import { onSession, signedInName } from '../server/session.ts';
import type { FormValues } from './values.ts';

/** Unsaved input of a form, and the values of the record when editing started. */
interface Draft {
  values: FormValues;
  initial: FormValues;
}

const prefix = 'draft ';
/** Fields that are never stored. */
const secretFields = ['post_password'];

const userPrefix = () => `${prefix}${JSON.stringify([context.root, context.world ?? '', signedInName() ?? ''])} `;

const removeSecrets = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !secretFields.includes(name)));

/** The current user's draft of the form at an address. Drafts are stored until the tab is closed. */
export function loadDraft(address: string): Draft | undefined {
  const text = sessionStorage.getItem(userPrefix() + address);
  return text === null ? undefined : JSON.parse(text);
}

export function saveDraft(address: string, { values, initial }: Draft): void {
  sessionStorage.setItem(userPrefix() + address, JSON.stringify({ values: removeSecrets(values), initial: removeSecrets(initial) }));
}

export const deleteDraft = (address: string): void => sessionStorage.removeItem(userPrefix() + address);

// Signing in or out deletes the drafts of the previous user.
onSession(() => {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix) && !key.startsWith(userPrefix())) sessionStorage.removeItem(key);
});
