import { useState } from 'preact/hooks';
import { readDuration } from '../../../model/time/duration.ts';
import { moved } from '../../../model/time/move.ts';
import { readDate } from '../../../model/time/parse-date.ts';
import { useWallNow } from '../clock.ts';
import { context, now } from '../context.ts';
import { dayOf, wallOf } from '../days.ts';
import { clockText, dayText } from '../format.ts';

/** A duration, or an instant. */
type ClockTarget = { by: string } | { to: string };

/** Reads a duration or a date. Returns the input of the operation with a description; undefined if it is neither. */
function readTarget(text: string, wall: string): { input: ClockTarget; preview: string } | undefined {
  const describe = (time: string) => `${dayText(dayOf(time))}, ${clockText(time)}`;
  const trimmed = text.trim();
  const duration = readDuration(trimmed);
  if (duration) return { input: { by: trimmed }, preview: describe(moved(wall, duration, context.timezone)) };
  const date = /[a-z0-9]/i.test(trimmed) ? readDate(trimmed, now(), context.timezone) : undefined;
  if (!date) return undefined;
  return { input: { to: new Date(date.instant).toISOString() }, preview: describe(wallOf(date.instant, context.timezone)) };
}

/** A field that moves the clock by a duration or to a date, in words. */
export function ClockForm({ isBusy, onMove }: { isBusy: boolean; onMove(target: ClockTarget): void }) {
  const [text, setText] = useState('');
  const target = readTarget(text, useWallNow(1000));
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        if (target) onMove(target.input);
      }}
    >
      <label for="clock-to">Move to</label>
      <div class="buttons">
        <input
          id="clock-to"
          class="grow"
          type="text"
          placeholder="+2 days, -1 hour, friday 20:00"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="clock-preview"
          aria-invalid={text && !target ? true : undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="button" disabled={isBusy || !target}>
          Move
        </button>
      </div>
      <p class="hint" id="clock-preview" role="status">
        {target ? target.preview : text && 'Write a duration such as 2 days, or a date such as march 1 9:00.'}
      </p>
    </form>
  );
}
