import { Text } from 'ink';
import { monthOf } from '../look/day.ts';
import { dayText, monthText } from '../look/locale.ts';
import { wordsOf } from '../print/rows.ts';
import { DetailView } from './detail-view.tsx';
import { EventsView } from './events-view.tsx';
import type { Form } from './form.ts';
import { FormView } from './form-view.tsx';
import { Foot, Frame, Title } from './frame.tsx';
import { HelpView } from './help-view.tsx';
import { MonthView } from './month-view.tsx';
import { choices, type Over, type State } from './state.ts';
import { Tint } from './tint.tsx';

/** Everything between the edges of the terminal, as a state says. */
export function Screen({ state }: { state: State }) {
  if (state.columns < 30 || state.rows < 8) return <Text>too small: 30 x 8 is the least</Text>;
  const { over } = state;
  if (over?.kind === 'form') return <FormScreen state={state} form={over.form} />;
  if (over?.kind === 'detail') return <DetailScreen state={state} over={over} />;
  if (over?.kind === 'help')
    return (
      <Frame
        rows={state.rows}
        title={<Title text="Keys" remark="" columns={state.columns} />}
        foot={<Tint dimColor>any key goes back</Tint>}
      >
        <HelpView height={state.rows - 3} />
      </Frame>
    );
  return <ViewScreen state={state} />;
}

const viewKeys: Record<State['view'], string> = {
  month: '? help  arrows  Enter open  < > month  / search  n new  d day  l list  q quit',
  day: '? help  arrows  Enter open  n new  e edit  x delete  m month  l list  q quit',
  list: '? help  arrows  Enter open  / search  n new  e edit  x delete  m month  q quit',
};

function ViewScreen({ state }: { state: State }) {
  const { columns, rows, view, over } = state;
  const height = rows - 3;
  const foot =
    over?.kind === 'delete' ? (
      <Tint tint="yellow">{`Move “${wordsOf(over.entry.title)}” to the trash?  ${state.work ? '…' : 'y yes  any other key no'}`}</Tint>
    ) : state.searching ? (
      <Tint>
        {`/${state.search.value}`}
        <Tint inverse> </Tint>
      </Tint>
    ) : (
      <Foot failure={state.failure} remedy="r tries again" notice={state.notice} keys={viewKeys[view]} columns={columns} />
    );
  return (
    <Frame rows={rows} title={<Title text={titleOf(state)} remark={remarkOf(state)} columns={columns} />} foot={foot}>
      {view === 'month' ? <MonthView state={state} height={height} /> : <EventsView state={state} height={height} />}
    </Frame>
  );
}

function titleOf({ view, day, look }: State): string {
  if (view === 'month') return monthText(monthOf(day), look.locale);
  return view === 'day' ? dayText(day, look.locale) : `from ${dayText(day, look.locale)}`;
}

function remarkOf(state: State): string {
  const search = state.search.value.trim();
  const count = choices(state).length;
  const found =
    state.view === 'month' ? '' : `${count}${state.more && state.view === 'list' ? '+' : ''} ${count === 1 ? 'event' : 'events'}`;
  return [search && `search: ${search}`, state.complete ? found : 'loading …'].filter(Boolean).join('  ');
}

function DetailScreen({ state, over }: { state: State; over: Extract<Over, { kind: 'detail' }> }) {
  const { columns, rows, look } = state;
  const foot = <Foot failure={state.failure} remedy="" keys="Esc back  arrows scroll  e edit  x delete  q quit" columns={columns} />;
  return (
    <Frame rows={rows} title={<Title text={wordsOf(over.entry.title)} remark="" columns={columns} />} foot={foot}>
      <DetailView entry={over.entry} scroll={over.scroll} look={look} columns={columns} height={rows - 3} />
    </Frame>
  );
}

function FormScreen({ state, form }: { state: State; form: Form }) {
  const { columns, rows, look } = state;
  const title = form.entry ? `Change ${wordsOf(form.entry.title)}` : 'New event';
  const foot = form.leaving ? (
    <Tint tint="yellow">Drop what was typed? y yes any other key no</Tint>
  ) : (
    <Foot failure={form.failure} remedy="Ctrl-S tries again" keys="Tab next field  Ctrl-S save  Esc leave" columns={columns} />
  );
  return (
    <Frame rows={rows} title={<Title text={title} remark={form.saving ? 'saving …' : ''} columns={columns} />} foot={foot}>
      <FormView form={form} look={look} columns={columns} height={rows - 3} />
    </Frame>
  );
}
