import { useState } from 'preact/hooks';
import { useWallNow } from '../clock.ts';
import { Button } from '../controls.tsx';
import { dayOf } from '../days.ts';
import { clockText, dayText } from '../format.ts';
import { readText, useTypedText } from '../server/typed-text.ts';

const hint = 'Write a duration such as 2 days, or a date such as march 1 9:00.';

/** A field that moves the clock by a duration or to a date, in words. */
export function ClockForm({ isBusy, onMove }: { isBusy: boolean; onMove(readInstant: () => Promise<string>): void }) {
  const [text, setText] = useState('');
  const [read] = useTypedText(text, useWallNow(1000).slice(0, 16));
  const date = text.trim() ? read?.date : undefined;
  const isInvalid = text.trim() !== '' && read?.text === text && !date;
  const readInstant = async () => {
    const { date: target } = await readText(text);
    if (!target) throw new Error(hint);
    return new Date(target.instant).toISOString();
  };
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        onMove(readInstant);
      }}
    >
      <label for="clock-to">Move to</label>
      <div class="buttons">
        <input
          id="clock-to"
          class="grow"
          type="text"
          placeholder="in 2 hours, -1 day, friday 20:00"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="clock-preview"
          aria-invalid={isInvalid || undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button label="Move" type="submit" disabled={isBusy || isInvalid} />
      </div>
      <p class="hint" id="clock-preview" role="status">
        {date ? `${dayText(dayOf(date.wall))}, ${clockText(date.wall)}` : isInvalid && hint}
      </p>
    </form>
  );
}
