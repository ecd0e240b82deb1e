import { useState } from 'preact/hooks';
import { Button } from '../controls.tsx';
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
        <Button
          label="Sign out"
          onClick={() => {
            signIn(undefined);
            toast('Signed out.');
          }}
        />
      </span>
    );
  return (
    <span class="user">
      <Button label="Sign in" onClick={() => setOpen(true)} />
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </span>
  );
}
