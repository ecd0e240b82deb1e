import type { ComponentChildren } from 'preact';
import { context } from '../context.ts';
import { Button, Form, Notice } from '../parts/controls.tsx';
import { ApiError } from '../server/api.ts';
import { pageToken } from '../server/page-token.ts';
import { canUseControl, controlAuthorization, setControlToken, useControlAuthorization } from '../server/session.ts';
import { useStatus } from '../server/status.ts';
import { ErrorMessage } from './action.tsx';
import './token.css';

interface Properties {
  title: string;
  /** Shown to those who may not use the control API, in place of the reason. */
  instead?: ComponentChildren;
  /** Shown below the reason. */
  offer?: ComponentChildren;
  /** Renders what needs the control API. `canEdit` is true with full access. */
  children(canEdit: boolean): ComponentChildren;
}

/** True if the page may change the calendar as a whole, once that is known. */
export function useAccess(): { canEdit?: boolean; isUsable: boolean; error?: Error } {
  useControlAuthorization();
  const { health, error } = useStatus();
  const isUsable = context.control !== null && canUseControl();
  return { isUsable, canEdit: isUsable ? health && health.access === 'full' : false, error };
}

/** Returns why the page may not change the calendar as a whole, and what to do. */
export const accessReason = (): string =>
  context.control === null
    ? 'The control API of this server isn’t available here.'
    : pageToken() === undefined
      ? 'Only for the person who started the server. Open the address that calendar serve printed in the terminal.'
      : 'The server was restarted. Open the address that calendar serve printed in the terminal.';

/** Renders what needs the control API, once the page can use it. */
export function ControlGate({ title, instead, offer, children }: Properties) {
  const { canEdit, isUsable, error } = useAccess();
  if (isUsable && canEdit !== undefined) return children(canEdit);
  const isRejected = error instanceof ApiError && error.status === 404 && controlAuthorization() !== undefined;
  if (instead && (!isUsable || isRejected))
    return (
      <>
        <h1 class="unseen">{title}</h1>
        {instead}
      </>
    );
  if (context.control === null) return <Unavailable title={title} offer={offer} />;
  if (!isUsable || isRejected) return <TokenForm title={title} offer={offer} error={isRejected ? error : undefined} />;
  return error ? <StateFailed title={title} error={error} /> : <div aria-busy="true" />;
}

/** Says why the state of the server can't be shown. */
export const StateFailed = ({ title, error }: { title: string; error: Error }) => (
  <>
    <h1 class="unseen">{title}</h1>
    <Notice title="Couldn’t load the state of the server">{error.message}</Notice>
  </>
);

/** Explains why the control API isn't available. */
const Unavailable = ({ title, offer }: Pick<Properties, 'title' | 'offer'>) => (
  <>
    <h1 class="unseen">{title}</h1>
    <Notice title="The control API isn’t available" quiet>
      <p>
        This server accepts connections from other machines and has no control token. Restart it with{' '}
        <code>calendar serve --control-token TOKEN</code>, or have it listen on 127.0.0.1 only.
      </p>
      <Button label="Go to calendar" href="/" />
      {offer}
    </Notice>
  </>
);

/** Asks for the control token. */
function TokenForm({ title, offer, error }: Pick<Properties, 'title' | 'offer'> & { error?: ApiError }) {
  return (
    <Form class="token" submit="Connect" onSubmit={(form) => setControlToken(String(new FormData(form).get('token')))}>
      <h1>{title}</h1>
      <p>
        Enter the control token of this server, as set with <code>--control-token</code>, or open the address that{' '}
        <code>calendar serve</code> printed in the terminal.
      </p>
      <div class="field">
        <label for="control-token">Control token</label>
        <input id="control-token" name="token" type="password" autocomplete="off" required aria-invalid={error ? true : undefined} />
        <p class="hint">Stored in this tab until you close it.</p>
      </div>
      {error && <ErrorMessage error={error} />}
      {offer}
    </Form>
  );
}
