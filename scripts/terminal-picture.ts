/** Takes the picture of `calendar ui` that the README shows, in a real terminal: `npx tsx scripts/terminal-picture.ts`. Needs tmux. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import stringWidth from 'string-width';
import { program } from '../test/support/program.ts';
import { calendarCommand, RealTerminal } from '../test/support/tmux.ts';

const [columns, rows, cell, line, margin] = [100, 30, 8.4, 18, 16];
const now = '2027-03-11T09:00:00Z';
const colors = { text: '#d4d7dd', ground: '#16181d', dim: '#868c98', accent: '#5cc8d7' };

/** The style of a piece of a line. */
interface Style {
  bold: boolean;
  dim: boolean;
  inverse: boolean;
  colored: boolean;
}
const plain: Style = { bold: false, dim: false, inverse: false, colored: false };

/** A style after a sequence that changes it: SGR parameters like `0;1;36`. */
function after(style: Style, parameters: string): Style {
  let now = { ...style };
  for (const each of parameters.split(';').map(Number)) {
    if (each === 0) now = { ...plain };
    else if (each === 1) now.bold = true;
    else if (each === 2) now.dim = true;
    else if (each === 7) now.inverse = true;
    else if (each >= 30 && each <= 39) now.colored = each < 37;
  }
  return now;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A screen as SVG. Each piece of text has the position and width of its cells in any font. */
function drawn(screen: string): string {
  const pieces: string[] = [];
  let style = plain;
  for (const [row, text] of screen.trimEnd().split('\n').entries()) {
    let column = 0;
    for (const [, parameters, run] of text.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      if (run === undefined) {
        style = after(style, parameters || '0');
        continue;
      }
      const top = margin + row * line;
      const at = (columns: number) => (columns * cell).toFixed(1);
      if (style.inverse)
        pieces.push(
          `<rect x="${at(column + margin / cell)}" y="${top}" width="${at(stringWidth(run))}" height="${line}" fill="${colors.accent}"/>`,
        );
      const fill = style.inverse ? colors.ground : style.colored ? colors.accent : style.dim ? colors.dim : colors.text;
      const weight = style.bold ? ' font-weight="bold"' : '';
      // Words that are far apart are separate pieces, so that no piece is stretched over a gap.
      for (const [part] of run.matchAll(/ +|[^ ]+(?: [^ ]+)*/g)) {
        const place = `x="${at(column + margin / cell)}" y="${top + 13}" textLength="${at(stringWidth(part))}"`;
        if (part.trim()) pieces.push(`<text ${place} fill="${fill}"${weight}>${escaped(part)}</text>`);
        column += stringWidth(part);
      }
    }
  }
  const [width, height] = [Math.ceil(columns * cell + 2 * margin), rows * line + 2 * margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
<title>calendar ui in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="${colors.ground}"/>
${pieces.join('\n')}
</svg>
`;
}

const terminal = new RealTerminal(columns, rows);
try {
  const file = join(terminal.folder, 'city.db');
  const { status, stderr } = spawnSync(process.execPath, [...program, 'seed', 'demo', '--db', file, '--now', now], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  terminal.type(`clear; ${calendarCommand} ui --db ${file} --now ${now}\n`);
  await terminal.sees('Jazz Thurs');
  writeFileSync(fileURLToPath(new URL('../docs/pictures/terminal.svg', import.meta.url)), drawn(terminal.screen({ styled: true })));
} finally {
  terminal.close();
}
