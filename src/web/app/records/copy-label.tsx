import { context } from '../context.ts';
import { useControlAuthorization } from '../server/session.ts';

/** Names the site that the calendar is a copy of, and says whether and how it can be changed. */
export function CopyLabel() {
  const token = useControlAuthorization();
  const { copyOf, control } = context;
  if (!copyOf) return null;
  const host = <bdi>{copyOf.host}</bdi>;
  if (copyOf.writes === 'local') return <span class="user">Local copy of {host}</span>;
  if (copyOf.writes === 'refuse') return <span class="user">Read-only copy of {host}</span>;
  if (token) return <span class="user">Changes go to {host}</span>;
  return (
    <span class="user">
      <span>
        Read-only: changes to {host} need{' '}
        {control === 'token' ? <a href="/_calendar/">the control token</a> : <code>serve --control-token TOKEN</code>}
      </span>
    </span>
  );
}
