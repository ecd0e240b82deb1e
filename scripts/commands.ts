/** Writes docs/commands.md, the reference of all commands, docs/api.md, docs/agents.md, and the server options in docs/configuration.md and action.yml: `npm run commands`. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { agentsGuide, topics } from '../src/cli/help/topics.ts';
import { main } from '../src/cli/main.ts';
import { Program } from '../src/cli/program.ts';
import { apiPage, type Document } from './api-page.ts';
import { type CommandPage, type CommandPages, type HelpGroup, programPages } from './command-pages.ts';
import { responseExamples } from './response-examples.ts';
import { filesWithOptions } from './server-options.ts';

const terminal = () => ({
  stdin: new PassThrough(),
  stdout: new PassThrough({ encoding: 'utf8' }),
  stderr: new PassThrough(),
  env: {},
  cwd: tmpdir(),
  now: () => 0,
  interrupted: new AbortController().signal,
});

/** The program with all commands, whose help lists all options. */
export const documentedProgram = () => new Program(terminal(), ['--all']);

/** Returns what `calendar openapi` prints. */
export async function openApiDocument(): Promise<Document> {
  const own = terminal();
  void main(['openapi'], own).finally(() => own.stdout.end());
  return (await json(own.stdout)) as Document;
}

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
/** Escapes a text for a table cell. */
const cell = (text: string) => text.replace(/[\\|<>*_`[\]]/g, '\\$&');
const table = ({ heading, rows }: HelpGroup) =>
  `| ${heading.replace(/:$/, '')} | |\n| --- | --- |\n${rows.map(([term, about]) => `| ${code(term)} | ${cell(about)} |\n`).join('')}\n`;
const block = (lines: readonly string[], language: string) => (lines.length ? `\`\`\`${language}\n${lines.join('\n')}\n\`\`\`\n\n` : '');
/** GitHub's anchor of a heading. */
const anchor = (path: readonly string[]) => path.join('-');

function section({ path, about, usage, args, options, globals, commands, examples, note }: CommandPage): string {
  const isGroup = commands.length > 0;
  const below = commands.flatMap(({ rows }) => rows.map(([name]) => `[${name}](#${anchor([...path, name])})`));
  return [
    `${'#'.repeat(Math.min(path.length, 4))} ${path.join(' ')}\n\n`,
    `${about[0]!.toUpperCase()}${about.slice(1)}.\n\n`,
    isGroup ? `${below.join(' · ')}\n\n` : block([usage], ''),
    // Shell highlighting would color a remark after a command as its arguments.
    block(examples, ''),
    ...(args.length ? [table({ heading: 'Argument', rows: args })] : []),
    ...options.map(table),
    block(note ? note.trimEnd().split('\n') : [], ''),
    isGroup ? '' : `[Global options](#global-options): ${globals.map(([flags]) => code(flags)).join(', ')}\n\n`,
  ].join('');
}

export function commandReference([program, ...commands]: CommandPages): string {
  const link = (name: string) => `[${name}](#${anchor([...program.path, name])})`;
  const contents = program.commands.map(
    ({ heading, rows }) => `| ${heading.replace(/:$/, '')} | ${rows.map(([name]) => link(name)).join(' · ')} |\n`,
  );
  return [
    '# Commands\n\n',
    '<!-- Made by `npm run commands`. -->\n',
    `The output of \`${program.path[0]} --help\` and \`${program.path[0]} help COMMAND\` on one page.\n\n`,
    `| | |\n| --- | --- |\n${contents.join('')}| More | [Global options](#global-options) · ${Object.keys(topics).map(topicLink).join(' · ')} |\n\n`,
    ...commands.map(section),
    '## Global options\n\n',
    ...program.options.map(table),
    ...Object.entries(topics).map(topicSection),
  ]
    .join('')
    .replace(/\n+$/, '\n');
}

/** A topic of `calendar help` below its name, with its title if that adds something. */
function topicSection([name, text]: readonly [string, string]): string {
  const [title = '', ...lines] = text.trim().split('\n');
  const heading = headingOf(name);
  return `## ${heading}\n\n${title === heading ? '' : `${cell(title)}\n\n`}${block(lines.slice(1), '')}`;
}

const headingOf = (topic: string) => `${topic[0]!.toUpperCase()}${topic.slice(1).replaceAll('-', ' ')}`;
const topicLink = (name: string) => `[${headingOf(name)}](#${name})`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync('docs/commands.md', commandReference(await programPages(documentedProgram())));
  writeFileSync('docs/api.md', apiPage(await openApiDocument()));
  writeFileSync('docs/agents.md', agentsGuide);
  const files = { ...filesWithOptions(), ...(await responseExamples()) };
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
}
