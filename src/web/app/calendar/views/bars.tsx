import type { CalendarDay } from '../../days.ts';
import { Chip } from '../chip.tsx';
import type { HueOf } from '../hues.ts';
import { type Bar, fitBars } from '../lanes.ts';
import { More } from '../more.tsx';

interface Properties {
  days: readonly CalendarDay[];
  bars: readonly Bar[];
  /** Number of lanes that fit; the last one counts the bars of a day that do not. */
  lanes: number;
  hueOf: HueOf;
  linkTo(day: CalendarDay): string;
  canDrag: boolean;
  /** Lanes whose titles may have two lines. */
  roomyLanes?: readonly number[];
}

/** Events as bars across the days of a row. */
export function Bars({ days, bars, lanes, hueOf, linkTo, canDrag, roomyLanes = [] }: Properties) {
  const { shown, hidden } = fitBars(bars, lanes, days.length);
  const spansOn = (index: number) => bars.filter((bar) => bar.start <= index && index <= bar.end).map(({ span }) => span);
  return (
    <ul class="bars">
      {shown.map(({ span, start, end, lane, before, after }) => (
        <li
          key={span.event.id}
          class={roomyLanes.includes(lane) ? 'roomy' : undefined}
          style={{ gridColumn: `${start + 1} / ${end + 2}`, gridRow: lane + 1 }}
        >
          <Chip span={span} hueOf={hueOf} before={before} after={after} resizable={canDrag} />
        </li>
      ))}
      {hidden.map(
        (count, index) =>
          count > 0 && (
            <li key={days[index]} style={{ gridColumn: index + 1, gridRow: lanes }}>
              <More day={days[index]!} count={count} spans={spansOn(index)} hueOf={hueOf} linkTo={linkTo} />
            </li>
          ),
      )}
    </ul>
  );
}
