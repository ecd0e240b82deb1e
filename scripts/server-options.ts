/**
 * What is made from the table of server options: src/model/server-option-types.ts, which is not committed, the table in docs/configuration.md, and the inputs of
 * action.yml; and from the table of mistakes: that in docs/mistakes.md. `npm run types` and `npm run build` write the first, `npm run codegen` the others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MistakeRow, mistakes } from '../src/model/mistakes/table.ts';
import { type ServerOption, serverFlag, serverOptionRows } from '../src/model/server-options.ts';

export const union = (types: readonly string[]): string =>
  [...new Set(types.flatMap((type) => (/[^\w |]/.test(type) ? [type] : type.split(' | '))))].join(' | ');
export const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const types = { switch: 'boolean', text: 'string', number: 'number', time: 'number | string', list: 'string' };

function typeOf({ kind, choices }: ServerOption & { kind: keyof typeof types }): string {
  if (kind === 'switch' && choices) return `boolean | ${union(choices.map(literal))}`;
  const one = choices ? union(choices.map(literal)) : types[kind];
  return kind !== 'list' ? one : choices ? `readonly (${one})[]` : `readonly ${one}[]`;
}

const number = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en-US') : String(value));

/** The description of an option with its example and default, as Markdown. */
function textOf({ about, example, more, default: value }: ServerOption): string {
  const isShown = value !== undefined && value !== '';
  return [about, example ? `, like \`${example}\`` : '', isShown ? ` (default ${number(value)})` : '', more ? `. ${more}` : ''].join('');
}

/** The interface with the options that have plain values and are not of the command line only. */
export function optionTypes(): string {
  const members = serverOptionRows.flatMap(([name, option]) =>
    option.kind === 'value' || option.of === 'command'
      ? []
      : [`  /** ${textOf(option)}. */\n  ${name}?: ${typeOf(option as Parameters<typeof typeOf>[0])};\n`],
  );
  const ofNode = serverOptionRows.flatMap(([name, { needsNode }]) => (needsNode ? [`'${name}'`] : []));
  return `// Generated from server-options.ts by \`npm run types\` and \`npm run build\`.

/** Options of a server with plain values. */
export interface ServerOptions {
${members.join('')}}

/** Options that need files, sockets or other sites. */
export type NodeOption = ${ofNode.join(' | ')};
`;
}

/** Writes the file with the types. */
export const writeOptionTypes = (): void =>
  writeFileSync(fileURLToPath(new URL('../src/model/server-option-types.ts', import.meta.url)), optionTypes());

/** The table of docs/configuration.md. */
function optionTable(): string {
  const rows = serverOptionRows.map(([name, option]) => {
    const flag = serverFlag(name, option);
    const value = option.placeholder ? ` ${option.placeholder.toUpperCase()}` : '';
    const link = option.page ? ` ([${option.page.replace('.md', '')}](${option.page}))` : '';
    return `| ${option.of === 'library' ? '' : `\`${flag}${value}\``} | ${option.of === 'command' ? '' : `\`${name}\``} | ${textOf(option)}${link} |\n`;
  });
  return `| \`serve\`, \`exec\` | \`createCalendar\` | Description |\n| --- | --- | --- |\n${rows.join('')}\n`;
}

/** The inputs of action.yml that are options of a server. */
function actionInputs(): string {
  const inputs = serverOptionRows.flatMap(([name, option]) =>
    option.action === undefined
      ? []
      : [`  ${serverFlag(name, option).slice(2)}:\n    description: ${option.about}\n    default: '${option.action}'\n`],
  );
  return inputs.join('');
}

/** The table of docs/mistakes.md. */
function mistakeTable(): string {
  const rows = Object.entries<MistakeRow>(mistakes).map(([rule, { kind, when, right, isLate, allowedBy }]) => {
    const where = kind === 'form' ? `header, log${isLate ? '' : '; `strict` rejects it'}` : 'log';
    const off = allowedBy ? `; \`${allowedBy}\` turns it off` : '';
    return `| \`${rule}\` | ${when} | ${right} | ${where}${off} |\n`;
  });
  return `| Rule | Mistake | What is right | Reported in |\n| --- | --- | --- | --- |\n${rows.join('')}\n`;
}

/** The places of generated parts: the lines between two texts of a file. */
const parts: Record<string, [start: string, end: string, make: () => string]> = {
  'docs/configuration.md': ['<!-- Made by `npm run codegen`. -->\n\n', '<!-- End. -->', optionTable],
  'docs/mistakes.md': ['<!-- Made by `npm run codegen`. -->\n\n', '<!-- End. -->', mistakeTable],
  'action.yml': ['inputs:\n', '  options:\n', actionInputs],
};

/** The files that contain generated parts, with these parts made again. */
export const filesWithOptions = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parts).map(([file, [start, end, make]]) => {
      const text = readFileSync(file, 'utf8');
      const from = text.indexOf(start) + start.length;
      return [file, `${text.slice(0, from)}${make()}${text.slice(text.indexOf(end, from))}`];
    }),
  );
