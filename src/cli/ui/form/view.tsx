import { Box } from 'ink';
import type { Field } from '../../../model/fields/field.ts';
import type { Display } from '../../days/display.ts';
import { dayText } from '../../days/locale.ts';
import { escapeControls } from '../../terminal/escape-controls.ts';
import { cut, pad, widthOf, wrap } from '../../terminal/width.ts';
import { graphemes, type TextInput } from '../text-input.ts';
import { ColoredText } from '../views/text.tsx';
import { current, type Form, formFields, isDefault } from './form.ts';
import { visibleFault } from './keys.ts';
import { faultOf, momentOf } from './validate.ts';

const label = 14;

/** The form: a line for each field, and below the focused one its meaning or its fault. */
export function FormView({ form, display, columns, height }: { form: Form; display: Display; columns: number; height: number }) {
  const room = Math.max(1, height - 2);
  const from = Math.max(0, Math.min(form.focused - Math.floor(room / 2), formFields.length - room));
  return (
    <Box flexDirection="column">
      {formFields.slice(from, from + room).map((field) => (
        <FieldRow key={field.name} form={form} field={field} display={display} columns={columns} />
      ))}
    </Box>
  );
}

function FieldRow({ form, field, display, columns }: { form: Form; field: Field; display: Display; columns: number }) {
  const here = current(form) === field;
  const draft = form.values[field.name]!;
  const fault = visibleFault(form, field, display);
  const name = `${here ? '›' : ' '} ${field.name.replaceAll('_', ' ')}${field.required ? '*' : ''}`;
  const room = Math.max(4, columns - label - 1);
  const meant = /_date$/.test(field.name) ? `  ${meaningOf(form, field, display)}` : '';
  const mark = fault ? `  ✗ ${fault}` : meant;
  return (
    <Box flexDirection="column">
      <ColoredText>
        <ColoredText bold={here} color={fault ? 'red' : here ? 'cyan' : undefined}>
          {pad(cut(name, label), label)}
        </ColoredText>
        {here ? (
          <Cursor draft={draft} room={room} turned={field.options !== undefined} replaced={isDefault(form, field)} />
        ) : (
          cut(shownText(draft.value), room)
        )}
        {!here && (
          <ColoredText color={fault ? 'red' : undefined} dimColor={!fault}>
            {cut(mark, Math.max(0, room - widthOf(shownText(draft.value))))}
          </ColoredText>
        )}
      </ColoredText>
      {here && (
        <Remark
          fault={fault ?? typedFault(form, field, display)}
          firm={fault !== undefined}
          text={meaningOf(form, field, display)}
          room={room}
        />
      )}
    </Box>
  );
}

/** The fault of a field that is still being typed, which the next letter may mend. */
const typedFault = (form: Form, field: Field, display: Display): string | undefined =>
  form.values[field.name]!.value === form.initial[field.name] ? undefined : faultOf(form, field, display);

function Remark({ fault, firm, text, room }: { fault?: string; firm: boolean; text: string; room: number }) {
  return (
    <ColoredText color={firm ? 'red' : fault ? 'yellow' : undefined} dimColor={!fault}>
      {' '.repeat(label) + cut(fault ? `✗ ${fault}` : text, room)}
    </ColoredText>
  );
}

const zoneText = (form: Form): string => form.values.timezone!.value.trim() || 'by the clock of the calendar';

/** The description of a field; for a date that can be read, the moment it means. */
function meaningOf(form: Form, field: Field, display: Display): string {
  if (field.name === 'start_date' || field.name === 'end_date') {
    const moment = momentOf(form, field.name, display);
    if (moment && form.values.all_day!.value === 'yes') return `= ${dayText(moment.split(' ')[0]!, display.locale)}`;
    if (moment) return `= ${dayText(moment.split(' ')[0]!, display.locale)}, ${moment.split(' ')[1]!.slice(0, 5)}, ${zoneText(form)}`;
    return field.about;
  }
  if (field.control === 'records') return 'by name; ; between several; a new name makes one';
  if (field.options) return `${field.about}; left and right change it`;
  return field.about;
}

// A line break in a line of the form is shown by a sign.
const shownText = (text: string): string => escapeControls(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');

/** A text with its cursor; of a long text the part around the cursor. What typing takes the place of is drawn as if it were chosen. */
function Cursor({ draft, room, turned, replaced }: { draft: TextInput; room: number; turned: boolean; replaced: boolean }) {
  if (turned) return <ColoredText>{`‹ ${draft.value} ›`}</ColoredText>;
  if (replaced) return <ColoredText inverse>{cut(shownText(draft.value), room)}</ColoredText>;
  const characters = graphemes(shownText(draft.value));
  let from = draft.cursor;
  for (let width = 1; from > 0 && width + widthOf(characters[from - 1]!) <= room - 1; from--) width += widthOf(characters[from - 1]!);
  const before = characters.slice(from, draft.cursor).join('');
  const after = characters.slice(draft.cursor + 1).join('');
  return (
    <>
      {before}
      <ColoredText inverse>{characters[draft.cursor] ?? ' '}</ColoredText>
      {firstOf(after, room - widthOf(before) - 1)}
    </>
  );
}

const firstOf = (text: string, room: number): string =>
  room > 0 && text !== '' ? wrap(text.replaceAll(' ', '\u00a0'), room)[0]!.replaceAll('\u00a0', ' ') : '';
