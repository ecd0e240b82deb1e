import { Box } from 'ink';
import type { Field } from '../../model/field.ts';
import { dayText } from '../look/locale.ts';
import type { Look } from '../look/look.ts';
import { harmless } from '../print/plain.ts';
import { cut, pad, widthOf, wrap } from '../print/width.ts';
import { charactersOf, type Draft } from './edit.ts';
import { current, type Form, formFields } from './form.ts';
import { faultOf, momentOf } from './form-check.ts';
import { shownFault } from './form-keys.ts';
import { Tint } from './tint.tsx';

const label = 14;

/** An event being written: a line for each field, under the one with the cursor what it means or what is wrong with it. */
export function FormView({ form, look, columns, height }: { form: Form; look: Look; columns: number; height: number }) {
  const room = Math.max(1, height - 2);
  const from = Math.max(0, Math.min(form.at - Math.floor(room / 2), formFields.length - room));
  return (
    <Box flexDirection="column">
      {formFields.slice(from, from + room).map((field) => (
        <FieldRow key={field.name} form={form} field={field} look={look} columns={columns} />
      ))}
    </Box>
  );
}

function FieldRow({ form, field, look, columns }: { form: Form; field: Field; look: Look; columns: number }) {
  const here = current(form) === field;
  const draft = form.values[field.name]!;
  const fault = shownFault(form, field, look);
  const name = `${here ? '›' : ' '} ${field.name.replaceAll('_', ' ')}${field.required ? '*' : ''}`;
  const room = Math.max(4, columns - label - 1);
  const meant = /_date$/.test(field.name) ? `  ${meaningOf(form, field, look)}` : '';
  const mark = fault ? `  ✗ ${fault}` : meant;
  return (
    <Box flexDirection="column">
      <Tint>
        <Tint bold={here} tint={fault ? 'red' : here ? 'cyan' : undefined}>
          {pad(cut(name, label), label)}
        </Tint>
        {here ? <Cursor draft={draft} room={room} turned={isTurned(field)} /> : cut(shownText(draft.value), room)}
        {!here && (
          <Tint tint={fault ? 'red' : undefined} dimColor={!fault}>
            {cut(mark, Math.max(0, room - widthOf(shownText(draft.value))))}
          </Tint>
        )}
      </Tint>
      {here && (
        <Remark fault={fault ?? typedFault(form, field, look)} firm={fault !== undefined} text={meaningOf(form, field, look)} room={room} />
      )}
    </Box>
  );
}

const isTurned = (field: Field): boolean => !field.placeholder || field.choices !== undefined;

/** What is wrong so far with what is being typed; it may become right with the next letter. */
const typedFault = (form: Form, field: Field, look: Look): string | undefined =>
  form.values[field.name]!.value === form.first[field.name] ? undefined : faultOf(form, field, look);

function Remark({ fault, firm, text, room }: { fault?: string; firm: boolean; text: string; room: number }) {
  return (
    <Tint tint={firm ? 'red' : fault ? 'yellow' : undefined} dimColor={!fault}>
      {' '.repeat(label) + cut(fault ? `✗ ${fault}` : text, room)}
    </Tint>
  );
}

const zoneText = (form: Form): string => form.values.timezone!.value.trim() || 'by the clock of the calendar';

/** What a field is for; of a date, the moment that it means. */
export function meaningOf(form: Form, field: Field, look: Look): string {
  if (field.name === 'start_date' || field.name === 'end_date') {
    const moment = momentOf(form, field.name, look);
    if (moment && form.values.all_day!.value === 'yes') return `= ${dayText(moment.split(' ')[0]!, look.locale)}`;
    if (moment) return `= ${dayText(moment.split(' ')[0]!, look.locale)}, ${moment.split(' ')[1]!.slice(0, 5)}, ${zoneText(form)}`;
    return field.about;
  }
  if (field.name === 'venue' || field.name === 'organizer') return 'by name; ; between several; a new name makes one';
  if (isTurned(field)) return `${field.about}; left and right change it`;
  return field.about;
}

// A line break in a line of the form is shown by a sign.
const shownText = (text: string): string => harmless(text).replaceAll('\n', '⏎').replaceAll('\t', ' ');

/** A text with its cursor, of a long one the part around it. */
function Cursor({ draft, room, turned }: { draft: Draft; room: number; turned: boolean }) {
  if (turned) return <Tint>{`‹ ${draft.value} ›`}</Tint>;
  const characters = charactersOf(shownText(draft.value));
  let from = draft.at;
  for (let width = 1; from > 0 && width + widthOf(characters[from - 1]!) <= room - 1; from--) width += widthOf(characters[from - 1]!);
  const before = characters.slice(from, draft.at).join('');
  const after = characters.slice(draft.at + 1).join('');
  return (
    <>
      {before}
      <Tint inverse>{characters[draft.at] ?? ' '}</Tint>
      {firstOf(after, room - widthOf(before) - 1)}
    </>
  );
}

const firstOf = (text: string, room: number): string =>
  room > 0 && text !== '' ? wrap(text.replaceAll(' ', '\u00a0'), room)[0]!.replaceAll('\u00a0', ' ') : '';
