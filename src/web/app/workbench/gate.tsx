import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { context } from '../context.ts';
import { useLoaded } from '../loading.ts';
import { Notice } from '../notice.tsx';
import { ApiError } from '../server/api.ts';
import { callOperation } from '../server/control.ts';
import { canUseControl, controlAuthorization, onSession, setControlToken } from '../server/session.ts';
import { ErrorMessage } from './card.tsx';

/** Renders what needs the control API, once the page can use it. `canEdit` is true with full access. */
export function ControlGate({ title, children }: { title: string; children: (canEdit: boolean) => ComponentChildren }) {
  const [, rerender] = useState(0);
  useEffect(() => onSession(() => rerender((count) => count + 1)), []);
  const key = context.control !== null && canUseControl() ? `access ${controlAuthorization() ?? ''}` : undefined;
  const { value, error } = useLoaded(key, (signal) => callOperation('faults', undefined, signal));
  if (context.control === null) return <Unavailable title={title} />;
  if (key === undefined) return <TokenForm title={title} />;
  if (error instanceof ApiError && error.status === 404 && controlAuthorization()) return <TokenForm title={title} error={error} />;
  if (value) return children(value.allow.includes('POST'));
  return error ? <Notice title="Couldn’t load the state of the server">{error.message}</Notice> : <div aria-busy="true" />;
}

const Unavailable = ({ title }: { title: string }) => (
  <>
    <h1 class="unseen">{title}</h1>
    <Notice title="The control API isn’t available" quiet>
      <p>
        This server accepts connections from other machines and has no control token. Restart it with{' '}
        <code>calendar serve --control-token TOKEN</code>, or have it listen on 127.0.0.1 only.
      </p>
      <a class="button" href="/">
        Go to calendar
      </a>
    </Notice>
  </>
);

/** Asks for the control token. */
function TokenForm({ title, error }: { title: string; error?: ApiError }) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        setControlToken(String(new FormData(event.currentTarget).get('token')));
      }}
    >
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
      <p class="form-actions">
        <button type="submit" class="button main">
          Connect
        </button>
      </p>
    </form>
  );
}
