import { Failure } from '../../model/error.ts';
import { isSecret } from '../../server/journal/credentials.ts';
import type { Globals } from '../global-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Target } from './target.ts';

/** Headers of a message's framing, which only the client sets. */
const managed = new Set(['connection', 'content-length', 'expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Matches a reference to a variable of the environment. */
const reference = /\$\{(\w+)\}/g;
const hasReference = (text: string) => /\$\{\w+\}/.test(text);

/** Returns the headers in `Name: value` lines, with names in lower case. Expands `${VARIABLE}`; rejects secrets that are written out, which every user of this machine can see. */
export function readHeaders(lines: readonly string[], terminal: Terminal): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (!name) throw new Failure('bad-request', `Invalid header ${JSON.stringify(line)}`, "Example: 'Accept-Language: de'");
    if (isSecret(name) && !hasReference(value))
      throw new Failure(
        'bad-request',
        `The value of ${name} on the command line is visible to every user of this machine`,
        `Set it in a variable: --header '${name}: \${${name.toUpperCase().replace(/\W/g, '_')}}'`,
      );
    headers[checkedName(name)] = expanded(value, name, terminal);
  }
  return headers;
}

function checkedName(name: string): string {
  const lower = name.toLowerCase();
  if (managed.has(lower)) throw new Failure('bad-request', `The header ${name} can't be set`);
  return lower;
}

function expanded(value: string, name: string, { env }: Terminal): string {
  const text = value.replace(reference, (_, variable: string) => {
    if (env[variable]) return env[variable];
    throw new Failure('bad-request', `The variable ${variable} of the header ${name} is not set`);
  });
  if (/[\0\r\n]/.test(text)) throw new Failure('bad-request', `The header ${name} contains a line break`);
  return text;
}

/** Returns the headers for requests to a target: those of its profile, overridden by `--header`. A project's file can't use variables of the environment. */
export function headersFor(target: Target, { header = [] }: Globals, terminal: Terminal): Record<string, string> {
  const isProject = target.kind === 'remote' && target.project !== undefined;
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(target.headers ?? {})) {
    if (target.isProjectProfile && hasReference(value))
      throw new Failure(
        'bad-request',
        `The header ${name} in ${target.source} refers to a variable`,
        'Only your own profile file may use variables. Pass the header with --header instead.',
      );
    own[checkedName(name)] = target.isProjectProfile ? value : expanded(value, name, terminal);
  }
  const withVariable = header.find(hasReference);
  if (isProject && withVariable !== undefined)
    throw new Failure(
      'bad-request',
      `Refusing to send a variable to ${target.url}, an address from ${target.project}`,
      `Pass --url ${target.url}.`,
    );
  return { ...own, ...readHeaders(header, terminal) };
}
