import { useEffect, useRef, useState } from 'preact/hooks';
import { requestApi } from '../server/api.ts';
import { credentialsOf, signIn, useUserName } from '../server/session.ts';
import { toast } from '../toast.tsx';

/** Returns the ref of a dialog that opens when it is mounted. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

/** A dialog that asks for confirmation of an irreversible action. */
export function Confirm({
  title,
  text,
  verb,
  onConfirm,
  onCancel,
}: {
  title: string;
  text: string;
  verb: string;
  onConfirm(): void;
  onCancel(): void;
}) {
  return (
    <dialog ref={useModal()} aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      <p class="form-actions">
        <button type="button" class="button danger" onClick={onConfirm}>
          {verb}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

function SignIn({ onClose }: { onClose(): void }) {
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

/** The name of the current user, and a button to sign in or out. */
export function User() {
  const name = useUserName();
  const [isOpen, setOpen] = useState(false);
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
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Sign in
      </button>
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </span>
  );
}
