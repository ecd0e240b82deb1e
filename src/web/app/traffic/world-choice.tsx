import { withoutWorld, worldPrefixOf } from '../../../model/addresses.ts';
import type { WorldInfo } from '../../../model/operations/worlds.ts';
import { context } from '../context.ts';
import { withWorld, worldIn } from './filter.ts';

interface Properties {
  worlds: readonly WorldInfo[];
  filter: string;
  onFilter(filter: string): void;
}

/** Narrows the requests to the calendar of the server or one of its worlds. Absent without worlds. */
export function WorldChoice({ worlds, filter, onFilter }: Properties) {
  // A world that a cookie selects has no address without it.
  if (!worlds.length || (context.world !== null && worldPrefixOf(location.pathname) === '')) return null;
  const select = (id: string) => {
    const narrowed = withWorld(filter, id);
    if (context.world === null) return onFilter(narrowed);
    // The page of a world shows only its own requests.
    const path = `${withoutWorld(worldPrefixOf(location.pathname))}/_calendar/traffic`;
    location.assign(`${path}${narrowed && `?${new URLSearchParams({ filter: narrowed })}`}`);
  };
  return (
    <select aria-label="World" value={context.world ?? worldIn(filter) ?? ''} onChange={({ currentTarget }) => select(currentTarget.value)}>
      <option value="">All worlds</option>
      <option value="server">Server</option>
      {worlds.map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? id}
        </option>
      ))}
    </select>
  );
}
