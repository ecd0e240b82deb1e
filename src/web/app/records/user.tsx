import { useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import { signIn, useUserName } from '../server/session.ts';
import { toast } from '../toast.tsx';

const SignIn = lazy(async () => (await import('./sign-in.tsx')).SignIn, null);

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
