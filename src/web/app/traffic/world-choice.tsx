import { useEffect, useState } from 'preact/hooks';
import type { WorldInfo } from '../../../model/operations/worlds.ts';
import { urlInWorld, withoutWorld, worldPrefixOf } from '../../../model/worlds.ts';
import { context } from '../context.ts';
import { callOperation } from '../server/control.ts';

/** Selects the calendar of the server or one of its worlds, which has its own page. Absent without worlds. */
export function WorldChoice() {
  const [worlds, setWorlds] = useState<readonly WorldInfo[]>([]);
  useEffect(() => {
    void callOperation('worlds').then(
      ({ value }) => setWorlds(value.worlds),
      () => {},
    );
  }, []);
  // A world that a cookie selects has no address without it.
  if (!worlds.length || (context.world !== null && worldPrefixOf(location.pathname) === '')) return null;
  const open = (id: string) => {
    const { origin, pathname } = location;
    const path = `${withoutWorld(worldPrefixOf(pathname))}/_calendar/traffic`;
    location.assign(id ? urlInWorld(origin + path, id) : origin + path);
  };
  return (
    <select aria-label="World" value={context.world ?? ''} onChange={({ currentTarget }) => open(currentTarget.value)}>
      <option value="">Server</option>
      {worlds.map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? id}
        </option>
      ))}
    </select>
  );
}
