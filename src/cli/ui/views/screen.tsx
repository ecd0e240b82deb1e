import { Text } from 'ink';
import { monthOf, plusDays, weekOf } from '../../../model/time/days.ts';
import { daysText, dayText, monthText } from '../../days/locale.ts';
import { displayText } from '../../print/words.ts';
import { cut } from '../../terminal/width.ts';
import type { Form } from '../form/form.ts';
import { FormView } from '../form/view.tsx';
import { helpHeight, helpLines } from '../keys.ts';
import { isOfDays, selectable, type UiState } from '../state.ts';
import { ColoredText, Foot, Frame, HelpView, StyledLines, Title } from './frame.tsx';
import { contentLines, hasPanes } from './layout.ts';

export function Screen({ state }: { state: UiState }) {
  if (state.columns < 30 || state.rows < 8) return <Text>Terminal too small (minimum 30 × 8)</Text>;
  const { overlay } = state;
  if (overlay?.kind === 'form') return <FormScreen state={state} form={overlay.form} />;
  if (overlay?.kind === 'help')
    return (
      <Frame
        rows={state.rows}
        title={<Title text="Keys" remark="" columns={state.columns} />}
        foot={
          <ColoredText dimColor>
            {helpLines > helpHeight(state.rows) ? 'Arrows scroll  any other key to close' : 'Press any key to close'}
          </ColoredText>
        }
      >
        <HelpView scroll={overlay.scroll} height={helpHeight(state.rows)} />
      </Frame>
    );
  return <ViewScreen state={state} />;
}

const viewKeys: Record<UiState['view'], string> = {
  month: '? help  arrows  Enter open  j k month  / search  n new  w d l view  q quit',
  week: '? help  arrows  Enter open  n new  e edit  x delete  m month  d day  q quit',
  day: '? help  arrows  Enter open  n new  e edit  x delete  m month  l list  q quit',
  list: '? help  arrows  Enter open  / search  n new  e edit  x delete  m month  q quit',
  trash: '? help  arrows  Enter open  u restore  Esc back  q quit',
};

function ViewScreen({ state }: { state: UiState }) {
  const { columns, rows, view, overlay, display } = state;
  const keys =
    overlay?.kind === 'filter'
      ? 'Space select  c clear  Esc close'
      : overlay?.kind === 'detail'
        ? 'Esc back  arrows scroll  e edit  x delete  q quit'
        : viewKeys[view];
  const isAlone = overlay?.kind === 'detail' && !hasPanes(state);
  const title = overlay?.kind === 'filter' ? 'Filters' : isAlone ? displayText(overlay.entry.title) : titleOf(state);
  const foot =
    overlay?.kind === 'delete' ? (
      <ColoredText color="yellow">{deletePrompt(displayText(overlay.entry.title), state.task ? '…' : 'y/N', columns)}</ColoredText>
    ) : state.searching ? (
      <ColoredText>
        {`/${state.search.value}`}
        <ColoredText inverse> </ColoredText>
      </ColoredText>
    ) : (
      <Foot failure={state.failure} remedy={overlay ? '' : 'r to retry'} notice={state.notice} keys={keys} columns={columns} />
    );
  return (
    <Frame rows={rows} title={<Title text={title} remark={isAlone ? '' : remarkOf(state)} columns={columns} />} foot={foot}>
      <StyledLines lines={contentLines(state)} level={display.colorLevel ?? 0} />
    </Frame>
  );
}

/** A prompt whose title is cut, so that the answers stay visible. */
function deletePrompt(title: string, answers: string, columns: number): string {
  const rest = `Move “” to the trash?  ${answers}`.length;
  return `Move “${cut(title, Math.max(4, columns - rest))}” to the trash?  ${answers}`;
}

function titleOf({ view, day, display }: UiState): string {
  if (view === 'month') return monthText(monthOf(day), display.locale);
  if (view === 'week') {
    const first = weekOf(day, display.weekStart);
    return daysText(first, plusDays(first, 6), display.locale);
  }
  if (view === 'trash') return 'Trash';
  return view === 'day' ? dayText(day, display.locale) : `From ${dayText(day, display.locale)}`;
}

function remarkOf(state: UiState): string {
  const search = state.search.value.trim();
  const count = selectable(state).length;
  const counted =
    isOfDays(state) || state.view === 'week'
      ? ''
      : `${count}${state.more && state.view === 'list' ? '+' : ''} ${count === 1 ? 'event' : 'events'}`;
  const { tz, here, note } = state.display;
  const zone = note && (tz ? `Times in ${tz}` : `Today in ${here}`);
  const filters = state.filter.map(({ label }) => label).join(', ');
  return [search && `Search: ${search}`, filters && `Filters: ${filters}`, state.complete ? counted : 'Loading…', zone]
    .filter(Boolean)
    .join('  ');
}

function FormScreen({ state, form }: { state: UiState; form: Form }) {
  const { columns, rows, display } = state;
  const title = form.entry ? `Edit ${displayText(form.entry.title)}` : 'New event';
  const foot = form.questions ? (
    <ColoredText color="yellow">
      {cut(form.questions[0]![1], Math.max(8, columns - 6))}
      {'  y/N'}
    </ColoredText>
  ) : form.leaving ? (
    <ColoredText color="yellow">Discard changes? y/N</ColoredText>
  ) : (
    <Foot failure={form.failure} remedy="Ctrl-S to retry" keys="Tab next field  Ctrl-S save  Esc cancel" columns={columns} />
  );
  return (
    <Frame rows={rows} title={<Title text={title} remark={form.saving ? 'Saving…' : ''} columns={columns} />} foot={foot}>
      <FormView form={form} display={display} columns={columns} height={rows - 3} />
    </Frame>
  );
}
