import { Button, Form } from '../controls.tsx';
import { Notice } from '../notice.tsx';
import type { ApiError } from '../server/api.ts';
import { setControlToken } from '../server/session.ts';
import { ErrorMessage } from './card.tsx';

/** Explains why the control API isn't available. */
export const Unavailable = ({ title }: { title: string }) => (
  <>
    <h1 class="unseen">{title}</h1>
    <Notice title="The control API isn’t available" quiet>
      <p>
        This server accepts connections from other machines and has no control token. Restart it with{' '}
        <code>calendar serve --control-token TOKEN</code>, or have it listen on 127.0.0.1 only.
      </p>
      <Button label="Go to calendar" href="/" />
    </Notice>
  </>
);

/** Asks for the control token. */
export function TokenForm({ title, error }: { title: string; error?: ApiError }) {
  return (
    <Form class="token" submit="Connect" onSubmit={(form) => setControlToken(String(new FormData(form).get('token')))}>
      <h1>{title}</h1>
      <p>
        Enter the control token of this server, as set with <code>--control-token</code>.
      </p>
      <div class="field">
        <label for="control-token">Control token</label>
        <input id="control-token" name="token" type="password" autocomplete="off" required aria-invalid={error ? true : undefined} />
        <p class="hint">Stored in this tab until you close it.</p>
      </div>
      {error && <ErrorMessage error={error} />}
    </Form>
  );
}
