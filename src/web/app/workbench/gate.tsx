import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { context } from '../context.ts';
import { lazy } from '../lazy.tsx';
import { useLoaded } from '../loading.ts';
import { Notice } from '../notice.tsx';
import { ApiError } from '../server/api.ts';
import { callOperation } from '../server/control.ts';
import { canUseControl, controlAuthorization, onSession } from '../server/session.ts';

const Unavailable = lazy(async () => (await import('./closed.tsx')).Unavailable, null);
const TokenForm = lazy(async () => (await import('./closed.tsx')).TokenForm, null);

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
