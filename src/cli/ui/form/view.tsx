import { Box } from 'ink';
import type { Field } from '../../../model/fields/field.ts';
import type { Display } from '../../days/display.ts';
import { dayText, timeText } from '../../days/locale.ts';
import { escapeControls } from '../../terminal/safe-output.ts';
import { cut, pad, widthOf, wrap } from '../../terminal/width.ts';
import { graphemes, type TextInput } from '../text-input.ts';
import { ColoredText } from '../views/frame.tsx';
import { type Form, focusedField, formFields, isDefault } from './form.ts';
import { faultOf, typedMoment, visibleFault } from './validate.ts';

const label = 14;

/** Shows a line for each field, and below the focused one its description or error. */
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
  const here = focusedField(form) === field;
  const draft = form.values[field.name]!;
  const fault = visibleFault(form, field, display);
  const name = `${here ? '›' : ' '} ${field.name.replaceAll('_', ' ')}${field.required ? '*' : ''}`;
  const room = Math.max(4, columns - label - 1);
  const about = /_date$/.test(field.name) ? `  ${descriptionOf(form, field, display)}` : '';
  const mark = fault ? `  ✗ ${fault}` : about;
  return (
    <Box flexDirection="column">
      <ColoredText>
        <ColoredText bold={here} color={fault ? 'red' : here ? 'cyan' : undefined}>
          {pad(cut(name, label), label)}
        </ColoredText>
        {here ? (
          <Cursor draft={draft} room={room} choosing={field.options !== undefined} replaced={isDefault(form, field)} />
        ) : (
          cut(visibleText(draft.value), room)
        )}
        {!here && (
          <ColoredText color={fault ? 'red' : undefined} dimColor={!fault}>
            {cut(mark, Math.max(0, room - widthOf(visibleText(draft.value))))}
          </ColoredText>
        )}
      </ColoredText>
      {here && (
        <Remark
          fault={fault ?? typedFault(form, field, display)}
          firm={fault !== undefined}
          text={descriptionOf(form, field, display)}
          room={room}
        />
      )}
    </Box>
  );
}

const typedFault = (form: Form, field: Field, display: Display): string | undefined =>
  form.values[field.name]!.value === form.initial[field.name] ? undefined : faultOf(form, field, display);

function Remark({ fault, firm, text, room }: { fault?: string; firm: boolean; text: string; room: number }) {
  return (
    <ColoredText color={firm ? 'red' : fault ? 'yellow' : undefined} dimColor={!fault}>
      {' '.repeat(label) + cut(fault ? `✗ ${fault}` : text, room)}
    </ColoredText>
  );
}

const zoneText = (form: Form): string => form.values.timezone!.value.trim() || 'calendar time zone';

/** The description of a field, or the date and time that a valid date resolves to. */
function descriptionOf(form: Form, field: Field, display: Display): string {
  if (field.name === 'start_date' || field.name === 'end_date') {
    const moment = typedMoment(form, field.name, display);
    if (moment && form.values.all_day!.value === 'yes') return `= ${dayText(moment.split(' ')[0]!, display.locale)}`;
    if (moment) return `= ${dayText(moment.split(' ')[0]!, display.locale)}, ${timeText(moment, display.locale)}, ${zoneText(form)}`;
    return field.about;
  }
  if (field.control === 'records') return 'Name; separate several with ;. An unknown name creates a record';
  if (field.options) return `${field.about} (← → to change)`;
  return field.about;
}

// Shows a line break as a sign, because a field is one line.
const visibleText = (text: string): string => escapeControls(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');

/** Shows a text with its cursor; for a long text, the part around the cursor. A default value is shown as selected. */
function Cursor({ draft, room, choosing, replaced }: { draft: TextInput; room: number; choosing: boolean; replaced: boolean }) {
  if (choosing) return <ColoredText>{`‹ ${draft.value} ›`}</ColoredText>;
  if (replaced) return <ColoredText inverse>{cut(visibleText(draft.value), room)}</ColoredText>;
  const characters = graphemes(visibleText(draft.value));
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
