import type { CommandPage, CommandPages, HelpGroup, HelpRow } from './pages.ts';
import { topics } from './topics.ts';

/** Escapes text for roff. Hyphens stay hyphens, so that options can be copied. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replace(/^(?=\.)/gm, '\\&');

/** Formats a term in bold, with placeholders in italics. */
const term = (text: string): string => {
  const parts = text
    .split(/(<[^>]+>|\[[\w.-]+\])/)
    .map((part, at) => (at % 2 ? `\\fI${escaped(part)}\\fR` : part && `\\fB${escaped(part)}\\fR`));
  return parts.join('');
};

const heading = (text: string): string => `.SH "${escaped(text.toUpperCase())}"\n`;
const rows = (all: readonly HelpRow[]): string => all.map(([name, about]) => `.TP\n${term(name)}\n${escaped(about)}\n`).join('');
const titled = (title: string, text: string): string => (text ? `.PP\n.B "${escaped(title)}"\n.RS\n${text}.RE\n` : '');
const groups = (all: readonly HelpGroup[]): string => all.map(({ heading, rows: items }) => titled(heading, rows(items))).join('');
const verbatim = (text: string): string => `.PP\n.nf\n${escaped(text.trimEnd())}\n.fi\n`;
const examplesOf = (lines: readonly string[]): string => titled('Examples', lines.length ? verbatim(lines.join('\n')) : '');

const details = ({ args, options, examples, note }: CommandPage): string =>
  titled('Arguments', rows(args)) + groups(options) + (note ? verbatim(note) : '') + examplesOf(examples);

/** Formats the topics of `calendar help`. The first line of a topic is its heading. */
const topicSections = (): string =>
  Object.values(topics)
    .map((text) => {
      const [title = '', ...lines] = text.split('\n');
      return heading(title) + verbatim(lines.join('\n').trim());
    })
    .join('');

/** Returns the name of a command's man page: `calendar-events`. */
export const pageName = ({ path }: CommandPage): string => path.join('-');

/** Returns the man page of a command: for the program, with its commands and the topics of `calendar help`; for others, with their subcommands. */
export function manPage([page, ...below]: CommandPages, version: string): string {
  const program = page.path[0]!;
  const isProgram = page.path.length === 1;
  const name = pageName(page);
  const usages = isProgram || !below.length ? [page.usage] : below.map(({ usage }) => usage);
  return [
    `.TH "${escaped(name.toUpperCase())}" "1" "" "${escaped(`${program} ${version}`)}" "${escaped(program)} manual"\n`,
    heading('Name'),
    `${escaped(name)} \\- ${escaped(page.about)}\n`,
    heading('Synopsis'),
    usages.map((usage) => `${term(usage)}\n`).join('.br\n'),
    heading('Description'),
    `${escaped(page.about)}\n`,
    isProgram ? groups(page.commands) : '',
    details(page),
    ...(isProgram ? [] : below).map(
      (each) => `.SS "${escaped(each.path.join(' '))}"\n${escaped(each.about)}\n.PP\n${term(each.usage)}\n${details(each)}`,
    ),
    ...(isProgram ? [topicSections()] : [heading('Global options'), rows(page.globals)]),
    heading('See also'),
    isProgram ? `${term(`${program} man`)} ${term('<command>')} prints the page of a command.\n` : `${term(program)}(1)\n`,
  ].join('');
}
