import { useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../model/operations/requests.ts';
import { context } from '../context.ts';
import { Button } from '../controls.tsx';
import { sendRequest } from '../explorer/request.ts';
import { announceChange } from '../server/changes.ts';
import { userName } from '../server/session.ts';
import { toast } from '../toast.tsx';
import type { WorldRequest } from './filter.ts';
import { toApiRequest } from './request.ts';

/** Describes whose credentials a replayed request has: those of this page, because recorded ones are not stored. */
function identityText(recorded: string | null): string {
  const name = userName();
  const sender = name !== undefined ? `Sends as ${name}.` : context.users ? 'Sends as a visitor.' : 'Sends without credentials.';
  return recorded && recorded !== name ? `${sender} The recorded request was sent by ${recorded}, whose password isn’t stored.` : sender;
}

/** A recorded request that can be changed and sent again. */
export function Replay({ request, onSent }: { request: WorldRequest & Partial<JournaledRequest>; onSent(): void }) {
  const original = toApiRequest(request);
  const [method, setMethod] = useState(original.method);
  const [path, setPath] = useState(original.path);
  const [body, setBody] = useState(original.body ?? '');
  const [isSending, setSending] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    try {
      const { status, ok } = await sendRequest({ method, path, headers: original.headers, ...(body && { body }) });
      toast(`Replayed: ${status}.`);
      if (ok && method !== 'GET') announceChange();
      onSent();
    } catch {
      toast('Couldn’t reach the server. Check that it is running.');
    }
    setSending(false);
  };
  return (
    <form class="replay" onSubmit={send}>
      <div class="buttons">
        <input
          class="replay-method"
          aria-label="Method"
          required
          pattern="[A-Za-z]+"
          value={method}
          onInput={({ currentTarget }) => setMethod(currentTarget.value.toUpperCase())}
        />
        <input
          class="grow"
          aria-label="Path and query"
          required
          pattern="/.*"
          spellcheck={false}
          value={path}
          onInput={({ currentTarget }) => setPath(currentTarget.value)}
        />
        <Button label="Send" look="main" type="submit" disabled={isSending} />
      </div>
      {method !== 'GET' && method !== 'HEAD' && (
        <textarea
          aria-label="Body"
          rows={6}
          spellcheck={false}
          value={body}
          onInput={({ currentTarget }) => setBody(currentTarget.value)}
        />
      )}
      <p class="hint">{identityText(request.user)}</p>
      {/\*{3,}|redacted/i.test(path + body) && <p class="hint">Some values were redacted. Replace them before sending.</p>}
    </form>
  );
}
