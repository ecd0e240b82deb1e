import { useState } from 'preact/hooks';
import { Button, ErrorText, Form } from '../parts/controls.tsx';
import { Modal } from '../parts/dialog.tsx';
import { toast } from '../parts/toast.tsx';
import { messageOf, requestApi } from '../server/api.ts';
import { basicCredentials, signIn, useUserName } from '../server/session.ts';

/** The name of the current user, and a button to sign in or out. */
export function User() {
  const name = useUserName();
  const [isOpen, setOpen] = useState(false);
  if (name !== undefined)
    return (
      <span class="buttons">
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
    <span class="buttons">
      <Button label="Sign in" onClick={() => setOpen(true)} />
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </span>
  );
}

/** A dialog to sign in. */
function SignIn({ onClose }: { onClose(): void }) {
  const [errorText, setErrorText] = useState('');
  const submit = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    const header = basicCredentials(String(values.get('name')), String(values.get('password')));
    try {
      await requestApi('GET', '/categories', { query: { per_page: 1 }, authorization: header });
      signIn(header);
      onClose();
    } catch (error) {
      setErrorText(messageOf(error));
    }
  };
  return (
    <Modal title="Sign in" onClose={onClose}>
      <Form submit="Sign in" onSubmit={submit} onCancel={onClose}>
        <div class="field">
          <label for="sign-in-name">Username</label>
          <input id="sign-in-name" name="name" autocomplete="username" required />
        </div>
        <div class="field">
          <label for="sign-in-password">Password</label>
          <input id="sign-in-password" name="password" type="password" autocomplete="current-password" required />
        </div>
        <ErrorText text={errorText} />
        <p class="hint">Stored in this tab until you close it.</p>
      </Form>
    </Modal>
  );
}
