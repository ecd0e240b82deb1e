import { DataError } from '../error.ts';
import { linesIn, longestLine, type TextLine } from '../formats/decode.ts';

/** A component as it stands in the file: its unfolded lines with their numbers, and the components in it. */
export interface Component {
  name: string;
  line: number;
  lines: TextLine[];
  children: Component[];
}

/** Lines unfolded: one that starts with a space or a tab goes on from the line before (RFC 5545, 3.1). Empty lines are left out. */
function* unfolded(lines: Iterable<TextLine>): Generator<TextLine> {
  let current: { parts: string[]; length: number; line: number } | undefined;
  for (const { text, line } of lines) {
    if (current && (text.startsWith(' ') || text.startsWith('\t'))) {
      current.parts.push(text.slice(1));
      current.length += text.length;
      if (current.length > longestLine)
        throw new DataError(`line ${current.line}`, `is longer than ${longestLine >> 20} MiB with its continuations`);
    } else if (text.trim() !== '') {
      if (current) yield { text: current.parts.join(''), line: current.line };
      current = { parts: [text], length: text.length, line };
    }
  }
  if (current) yield { text: current.parts.join(''), line: current.line };
}

/**
 * The components directly within calendars, one at a time, and after each calendar a component `VCALENDAR` with its own lines alone. Memory holds one component.
 * Fails with a DataError where components are not nested as they must be.
 */
export function* componentsIn(chunks: Iterable<string>): Generator<Component> {
  const open: Component[] = [];
  let calendars = 0;
  for (const { text, line } of unfolded(linesIn(chunks))) {
    const [, mark, name] = /^(BEGIN|END):\s*([A-Za-z0-9-]+)\s*$/i.exec(text) ?? [];
    const top = open.at(-1);
    if (mark?.toUpperCase() === 'BEGIN') {
      if (!top && name!.toUpperCase() !== 'VCALENDAR') throw new DataError(`line ${line}`, `must be BEGIN:VCALENDAR, found ${text}`);
      open.push({ name: name!.toUpperCase(), line, lines: [], children: [] });
    } else if (mark) {
      const closed = open.pop();
      if (closed?.name !== name!.toUpperCase())
        throw new DataError(`line ${line}`, `${text} closes nothing${closed ? `: ${closed.name} of line ${closed.line} is open` : ''}`);
      if (open.length > 1) open.at(-1)!.children.push(closed);
      else yield closed;
      if (!open.length) calendars++;
    } else if (top) top.lines.push({ text, line });
    else throw new DataError(`line ${line}`, `must be BEGIN:VCALENDAR, found ${JSON.stringify(text.slice(0, 40))}`);
  }
  const last = open.at(-1);
  if (last) throw new DataError(`line ${last.line}`, `BEGIN:${last.name} has no end: the file is cut short`);
  if (!calendars) throw new DataError('line 1', 'must be BEGIN:VCALENDAR, found nothing');
}
