import { useRef, useState } from 'preact/hooks';
import { urlInWorld, withoutWorld, worldPrefixOf } from '../../model/addresses.ts';
import type { WorldInfo } from '../../model/operation-types.ts';
import { dayOf } from '../../model/time/days.ts';
import { useWallNow } from './clock.ts';
import { context } from './context.ts';
import { counted, shortDayText, timeText } from './format.ts';
import { useLoaded } from './loading.ts';
import { Button, ErrorText } from './parts/controls.tsx';
import { Floating, LayerTitle } from './parts/dialog.tsx';
import { messageOf } from './server/api.ts';
import { callOperation } from './server/control.ts';
import { useStatus } from './server/status.ts';
import './status-spot.css';

const minuteMs = 60_000;

/** '5 minutes', '3 hours', '2 days' */
function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.floor(ageMs / minuteMs));
  if (minutes < 120) return counted(minutes, 'minute');
  return minutes < 48 * 60 ? counted(Math.floor(minutes / 60), 'hour') : counted(Math.floor(minutes / 60 / 24), 'day');
}

/** The world, a clock that is not real, active faults, and the age of a copy. Each leads to where it is changed. */
export function StatusSpot() {
  const { health } = useStatus();
  const wall = useWallNow(30_000);
  const mayChange = health?.access === 'full';
  const isUnreal = health && (health.clock.frozen || Math.abs(health.clock.ahead) >= minuteMs);
  const asOf = health?.copy?.as_of;
  return (
    <div class="status-spot buttons screen-only">
      {mayChange && !context.ownCopy ? <WorldMenu /> : context.worldName !== null && <span class="pill cut">{context.worldName}</span>}
      {mayChange && isUnreal && (
        <a class="pill cold cut" href="/_calendar/">
          {shortDayText(dayOf(wall))}, {timeText(wall)}
          {health.clock.frozen && ', frozen'}
        </a>
      )}
      {health !== undefined && health.faults > 0 && (
        <a class="pill bad cut" href="/_calendar/">
          {counted(health.faults, 'fault')}
        </a>
      )}
      {context.copyOf !== null && (
        <a class="pill cut" href="/_calendar/" title={health?.copy?.text}>
          Copy of <bdi>{context.copyOf}</bdi>
          {asOf && `, ${ageText(Date.now() - Date.parse(asOf))} old`}
        </a>
      )}
    </div>
  );
}

/** The address of the calendar of the server, or of a world. */
function go(id: string | undefined): void {
  const main = `${withoutWorld(worldPrefixOf(location.pathname))}/`;
  location.assign(id === undefined ? main : urlInWorld(location.origin + main, id));
}

/** The name of the world, and a menu of all worlds. */
function WorldMenu() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // A world that a cookie selects has no address without it.
  if (context.world !== null && worldPrefixOf(location.pathname) === '') return <span class="pill cut">{context.worldName}</span>;
  return (
    <>
      <button ref={button} type="button" class="pill cut" aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <bdi>{context.worldName ?? 'Main calendar'}</bdi>
      </button>
      {isOpen && (
        <Floating label="Worlds" anchor={() => button.current} onClose={() => setOpen(false)}>
          <Worlds />
        </Floating>
      )}
    </>
  );
}

function Worlds() {
  const { value } = useLoaded('worlds', (signal) => callOperation('worlds', undefined, signal));
  const [name, setName] = useState('');
  const [errorText, setErrorText] = useState('');
  const create = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      go((await callOperation('createWorld', name.trim() ? { name: name.trim() } : {})).value.id);
    } catch (error) {
      setErrorText(messageOf(error));
    }
  };
  const entry = ({ id, name }: Pick<WorldInfo, 'name'> & { id?: string }) => (
    <li key={id}>
      <button type="button" class="menu-item" aria-current={(id ?? null) === context.world ? 'true' : undefined} onClick={() => go(id)}>
        {name ?? id}
      </button>
    </li>
  );
  return (
    <div class="menu-items">
      <LayerTitle>Worlds</LayerTitle>
      <ul>
        {entry({ name: 'Main calendar' })}
        {value?.value.worlds.map(entry)}
      </ul>
      <form class="buttons status-spot-new" onSubmit={create}>
        <input
          class="grow"
          type="text"
          aria-label="Name of a new world"
          placeholder="Name"
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button label="New" look="small" type="submit" />
      </form>
      <ErrorText text={errorText} />
    </div>
  );
}
