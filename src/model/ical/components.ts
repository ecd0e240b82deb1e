import { DataError } from '../error.ts';
import { linesIn, maxLineLength, type TextLine } from '../formats/decode.ts';

/** A component: its unfolded lines with their numbers, and nested components. */
export interface Component {
  name: string;
  line: number;
  lines: TextLine[];
  children: Component[];
}

/** Unfolds lines: a line that starts with a space or tab continues the previous one (RFC 5545, 3.1). Skips empty lines. */
function* unfolded(lines: Iterable<TextLine>): Generator<TextLine> {
  let current: TextLine | undefined;
  let length = 0;
  for (const next of lines) {
    const { text } = next;
    if (current && (text.startsWith(' ') || text.startsWith('\t'))) {
      current.text += text.slice(1);
      length += text.length;
      if (length > maxLineLength)
        throw new DataError(`line ${current.line}`, `line is longer than ${maxLineLength >> 20} MiB with its continuations`);
    } else if (text.trim() !== '') {
      if (current) yield current;
      current = next;
      length = text.length;
    }
  }
  if (current) yield current;
}

const markForm = /^(BEGIN|END):\s*([A-Za-z0-9-]+)\s*$/i;

/**
 * Yields the components of calendars, and after each calendar a component `VCALENDAR` with only its own lines. Keeps one component in memory. Throws a DataError for
 * invalid nesting.
 */
export function* componentsIn(chunks: Iterable<string>): Generator<Component> {
  const open: Component[] = [];
  let calendars = 0;
  for (const property of unfolded(linesIn(chunks))) {
    const { text, line } = property;
    const top = open.at(-1);
    const mark = markForm.exec(text);
    const name = mark ? mark[2]!.toUpperCase() : '';
    if (!mark) {
      if (!top) throw new DataError(`line ${line}`, `expected BEGIN:VCALENDAR, found ${JSON.stringify(text.slice(0, 40))}`);
      top.lines.push(property);
    } else if (mark[1]!.toUpperCase() === 'BEGIN') {
      if (!top && name !== 'VCALENDAR') throw new DataError(`line ${line}`, `expected BEGIN:VCALENDAR, found ${text}`);
      open.push({ name, line, lines: [], children: [] });
    } else {
      const closed = open.pop();
      if (closed?.name !== name)
        throw new DataError(
          `line ${line}`,
          closed ? `expected END:${closed.name} for line ${closed.line}, found ${text}` : `${text} without BEGIN`,
        );
      if (open.length > 1) open.at(-1)!.children.push(closed);
      else yield closed;
      if (!open.length) calendars++;
    }
  }
  const last = open.at(-1);
  if (last) throw new DataError(`line ${last.line}`, `BEGIN:${last.name} without END; the file may be truncated`);
  if (!calendars) throw new DataError('line 1', 'expected BEGIN:VCALENDAR, found nothing');
}
