/** Makes docs/api.md from the OpenAPI document and the table of failures; `npm run codegen` writes it. */
import { failureKind, failures, recordFailureCodes } from '../src/model/error.ts';
import { capitalized } from '../src/model/grammar.ts';
import { resources } from '../src/model/resources/all.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  maxItems?: number;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Operation {
  summary: string;
  description?: string;
  parameters?: { $ref?: string; name: string; in: string; description?: string; schema: Schema }[];
}
export interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, NonNullable<Operation['parameters']>[number]> };
}

const cell = (text: string) => text.replace(/[\\|<>*]/g, '\\$&').replaceAll('\n', ' ');
const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');

/** The type of a value in words of JSON; what several forms have in common stands once. */
function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, enum: choices, const: constant, items, maxItems } = schema;
  if ($ref) return $ref.split('/').at(-1)!;
  // Of a boolean, other spellings are accepted too.
  if (anyOf?.[0]?.type === 'boolean') return 'boolean';
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (choices) return choices.map((each) => (each === '' ? '""' : each)).join(', ');
  if (maxItems === 0) return '[]';
  if (items) return `list of ${typeOf(items)}`;
  return [type ?? 'any'].flat().join(' or ');
}

const fields = (schema: Schema, required: readonly string[] = []) =>
  table(
    ['Field', 'Type', ''],
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      code(name),
      code(typeOf(field)),
      cell(`${required.includes(name) ? 'Required. ' : ''}${field.description ?? ''}`),
    ]),
  );

export function apiPage({ info, paths, components }: Document): string {
  const { schemas } = components;
  const methods = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { summary }] of Object.entries(operations)) {
      if (path.startsWith('/_calendar') || !summary) continue;
      const key = `${path} ${summary.replace(/ \([A-Z]+\)$/, '')}`;
      methods.set(key, [...(methods.get(key) ?? []), method.toUpperCase()]);
    }
  const routes = [...methods].map(([key, names]) => {
    const [path = '', ...summary] = key.split(' ');
    return [code(`${names.join(', ')} ${path}`), cell(summary.join(' '))];
  });
  const parametersOf = ({ parameters = [] }: Operation) =>
    parameters
      .map((parameter) => (parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter))
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, description = '' }) => [code(name), code(typeOf(schema)), cell(description)]);
  const sections = Object.values(resources).map(({ name, kind }) => {
    const title = capitalized(kind);
    const list = paths[`/${name}`]!.get!;
    return [
      `## ${capitalized(name)}\n\n### List of ${name}\n\n${list.description ? `${cell(list.description)}\n\n` : ''}`,
      `${table(['Parameter', 'Type', ''], parametersOf(list))}\n`,
      `### ${title} in responses\n\n${fields(schemas[title]!)}\n`,
      `### ${title} in requests\n\n${fields(schemas[`New${title}`]!, schemas[`New${title}`]!.required)}\n`,
    ].join('');
  });
  const parts = ['Image', 'DateDetails', 'CostDetails', 'EmbeddedTerm'].map((name) => `### ${name}\n\n${fields(schemas[name]!)}\n`);
  const codes = [...Object.keys(failures), ...recordFailureCodes('RECORD')];
  const statuses = [...new Set(codes.map((each) => failureKind(each)!.status))].sort((a, b) => a - b);
  const errors = statuses.map((status) => [
    String(status),
    codes
      .filter((each) => failureKind(each)!.status === status)
      .map(code)
      .join(', '),
  ]);
  return [
    '# API\n\n<!-- Made by `npm run codegen`. -->\n',
    'The routes, parameters, fields and errors of the API. A running server has the same as `/openapi.json`, and the [control API](control.md) beside it.\n\n',
    `${info.description}\n\n`,
    `## Routes\n\nPaths start with the address that \`calendar serve\` prints. \`calendar.ics\` and \`/\` are at the root of the server.\n\n${table(['Route', ''], routes)}\n`,
    ...sections,
    `## Values\n\n${parts.join('')}`,
    '## Errors\n\nThe body of every error is `{"code", "message", "data": {"status"}}`. The wording of messages may change; codes do not. ',
    '`RECORD` is `event`, `venue`, `organizer`, `category` or `tag`.\n\n',
    table(['Status', 'Codes'], errors),
  ].join('');
}
