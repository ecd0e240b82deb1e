import { useState } from 'preact/hooks';
import { requestApi } from '../server/api.ts';
import { credentialsOf, signIn } from '../server/session.ts';
import { useModal } from './dialogs.tsx';

/** A dialog to sign in. */
export function SignIn({ onClose }: { onClose(): void }) {
  const [errorText, setErrorText] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const header = credentialsOf(String(form.get('name')), String(form.get('password')));
    try {
      await requestApi('GET', '/categories', { query: { per_page: 1 }, authorization: header });
      signIn(header);
      onClose();
    } catch (error) {
      setErrorText(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <dialog ref={useModal()} aria-labelledby="sign-in-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="sign-in-title">Sign in</h2>
        <div class="field">
          <label for="sign-in-name">Username</label>
          <input id="sign-in-name" name="name" autocomplete="username" required />
        </div>
        <div class="field">
          <label for="sign-in-password">Password</label>
          <input id="sign-in-password" name="password" type="password" autocomplete="current-password" required />
        </div>
        {errorText && (
          <p class="error" role="alert">
            {errorText}
          </p>
        )}
        <p class="hint">Stored in this tab until you close it.</p>
        <p class="form-actions">
          <button type="submit" class="button main">
            Sign in
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
