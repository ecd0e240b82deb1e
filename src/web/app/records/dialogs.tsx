import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../server/api.ts';
import { credentialsOf, signIn, useUserName } from '../server/session.ts';
import { toast } from '../toast.tsx';

/** A dialog over the page, as long as it is there. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

/** Asks before something is done that cannot be taken back here. */
export function Confirm({ title, text, verb, onYes, onNo }: { title: string; text: string; verb: string; onYes(): void; onNo(): void }) {
  return (
    <dialog ref={useModal()} aria-labelledby="confirm-title" onClose={onNo}>
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      <p class="form-actions">
        <button type="button" class="button danger" onClick={onYes}>
          {verb}
        </button>
        <button type="button" class="button" onClick={onNo}>
          Keep
        </button>
      </p>
    </dialog>
  );
}

function SignIn({ onDone }: { onDone(): void }) {
  const [failure, setFailure] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const header = credentialsOf(String(form.get('name')), String(form.get('password')));
    try {
      await ask('GET', '/categories', { query: { per_page: 1 }, authorization: header });
      signIn(header);
      onDone();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <dialog ref={useModal()} aria-labelledby="sign-in-title" onClose={onDone}>
      <form onSubmit={submit}>
        <h2 id="sign-in-title">Sign in</h2>
        <div class="field">
          <label for="sign-in-name">Name</label>
          <input id="sign-in-name" name="name" autocomplete="username" required />
        </div>
        <div class="field">
          <label for="sign-in-password">Password</label>
          <input id="sign-in-password" name="password" type="password" autocomplete="current-password" required />
        </div>
        {failure && (
          <p class="error" role="alert">
            {failure}
          </p>
        )}
        <p class="hint">It is kept in this tab alone, until you close it.</p>
        <p class="form-actions">
          <button type="submit" class="button main">
            Sign in
          </button>
          <button type="button" class="button" onClick={onDone}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Who is signed in, and the way in or out. */
export function User() {
  const name = useUserName();
  const [asking, setAsking] = useState(false);
  if (name !== undefined)
    return (
      <span class="user">
        <bdi>{name}</bdi>
        <button
          type="button"
          class="button"
          onClick={() => {
            signIn(undefined);
            toast('Signed out.');
          }}
        >
          Sign out
        </button>
      </span>
    );
  return (
    <span class="user">
      <button type="button" class="button" onClick={() => setAsking(true)}>
        Sign in
      </button>
      {asking && <SignIn onDone={() => setAsking(false)} />}
    </span>
  );
}
