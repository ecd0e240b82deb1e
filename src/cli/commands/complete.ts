import type { Command, Option } from 'commander';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { globalsFor } from '../global-options.ts';
import { topics } from '../help/topics.ts';
import { parameterOf } from '../options.ts';
import type { Runner, Session } from '../session.ts';

interface Candidate {
  value: string;
  about?: string;
}

/** `calendar complete -- WORDS…`: prints candidates for the last word as lines of value, tab, description. */
export function build(command: Command, runner: Runner): void {
  command.argument('[words...]').action(
    runner.action(async (session, [words]) => {
      const [current = '', ...before] = [...(words as string[])].reverse();
      const prefix = current === '""' ? '' : current;
      const suggestions = await candidates(before.reverse(), prefix, session);
      const lines = suggestions
        .filter(({ value }) => value.startsWith(prefix))
        .map(({ value, about }) => (about ? `${value}\t${about}` : value));
      await session.print(lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''));
      return undefined;
    }),
  );
}

/** The command that words lead to, its arguments so far, and an option without its value. */
interface Position {
  command: Command;
  path: string[];
  pendingOption?: Option;
  args: string[];
  /** The options given so far, by attribute name. */
  options: Record<string, string>;
}

async function positionOf(words: readonly string[], session: Session): Promise<Position> {
  const position: Position = { command: session.program.root, path: [], args: [], options: {} };
  for (const word of words) {
    if (position.pendingOption) {
      position.options[position.pendingOption.attributeName()] = word;
      position.pendingOption = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const [flag, value] = word.split(/=(.*)/s);
      const option = position.command.options.find(({ long, short }) => long === flag || short === flag);
      if (option && value !== undefined) position.options[option.attributeName()] = value;
      else if (option?.required) position.pendingOption = option;
      continue;
    }
    const below = position.command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (!below) {
      position.args.push(word);
      continue;
    }
    if (!position.path.length) await session.program.load(below);
    position.command = below;
    position.path.push(below.name());
  }
  return position;
}

async function candidates(words: readonly string[], current: string, session: Session): Promise<Candidate[]> {
  const position = await positionOf(words, session);
  const { command, path, pendingOption, args } = position;
  if (pendingOption) return optionValues(pendingOption, position, session, current);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) {
    const option = command.options.find(({ long, required }) => long === flag && required);
    const suggestions = option ? await optionValues(option, position, session, value!) : [];
    return suggestions.map((each) => ({ ...each, value: `${flag}=${each.value}` }));
  }
  if (current.startsWith('-')) return flagsOf(await commandWithDeclared(words, position, session));
  if (command.commands.length)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((each) => ({ value: each.name(), about: each.summary() }));
  if (path[0] === 'help') return helpWords(args, session);
  const argument = command.registeredArguments[args.length] ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  if (!argument) return [];
  if (argument.argChoices) return argument.argChoices.map((value) => ({ value }));
  return valuesOf(argument.name() === 'value' && args[0] === 'timezone' ? 'zone' : argument.name(), position, session, current);
}

/** The command of a position; one on records with options for the declared fields of the calendar. */
async function commandWithDeclared(words: readonly string[], position: Position, session: Session): Promise<Command> {
  if (!isResource(position.path[0])) return position.command;
  const { declaredResources } = await import('../connect/declared.ts');
  const resources = await declaredResources(withTarget(session, position).globals, session.terminal);
  if (!resources) return position.command;
  return (await positionOf(words, { ...session, program: session.program.withResources(resources) })).command;
}

function flagsOf(command: Command): Candidate[] {
  const globals = new Set(globalsFor(command).map(({ long }) => long));
  // `--no-` forms are hidden in help, where they would double every switch, but completed.
  const options = command.options.filter(({ long, hidden, negate }) => long && (!hidden || negate || globals.has(long)));
  return [...options.map((option) => ({ value: option.long!, about: option.description })), { value: '--help', about: 'Show help' }];
}

async function helpWords(args: readonly string[], session: Session): Promise<Candidate[]> {
  const { command } = await positionOf(args, session);
  const names = command.commands.map((each) => ({ value: each.name(), about: each.summary() }));
  return args.length ? names : [...names, ...Object.keys(topics).map((value) => ({ value, about: 'Help topic' }))];
}

const isResource = (name: string | undefined): name is ResourceName => resourceNames.some((candidate) => candidate === name);

async function optionValues(option: Option, position: Position, session: Session, current: string): Promise<Candidate[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  const links = parameterOf(option)?.links;
  if (links === 'users') return valuesOf('user', position, session, current);
  if (isResource(links)) return recordCandidates(links, position, session, current);
  return valuesOf(/<([^<>]+)>/.exec(option.flags)?.[1], position, session, current);
}

/** The candidates for a placeholder in the usage of a command. */
async function valuesOf(placeholder: string | undefined, position: Position, session: Session, current: string): Promise<Candidate[]> {
  const [resource] = position.path;
  if (placeholder === 'id' && isResource(resource)) return recordCandidates(resource, position, session, current);
  const source = placeholder !== undefined && Object.hasOwn(sources, placeholder) ? sources[placeholder] : undefined;
  try {
    return (await source?.(withTarget(session, position))) ?? [];
  } catch {
    // Completion must not fail.
    return [];
  }
}

const sources: Record<string, (session: Session) => Promise<Candidate[]>> = {
  zone: async () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value })),
  async seed() {
    const { seedNames } = await import('../../model/operations/formats.ts');
    return Object.entries(seedNames).map(([value, about]) => ({ value, about }));
  },
  async profile({ terminal }) {
    const { configFiles } = await import('../connect/config.ts');
    return (await configFiles(terminal)).flatMap(({ file, profiles }) => Object.keys(profiles).map((value) => ({ value, about: file })));
  },
  async user(session) {
    const { operate } = await import('../connect/operate.ts');
    return (await operate(session, 'read', 'users', {})).users.map(({ name, role }) => ({ value: name, about: role }));
  },
  async snapshot(session) {
    const { operate } = await import('../connect/operate.ts');
    return (await operate(session, 'read', 'snapshots', {})).snapshots.map(({ name, taken }) => ({ value: name, about: taken }));
  },
  state: async (session) => [...(await sources.snapshot!(session)), { value: 'empty' }, { value: 'start' }],
};

/** The session with the calendar that the previous words select, and a short timeout. */
function withTarget(session: Session, { options: { url, db, profile, namespace, user } }: Position): Session {
  return { ...session, globals: { ...session.globals, url, db, profile, namespace, user, timeout: 2 } };
}

/** Maximum number of records that are requested from a server. */
const maxRequested = 500;

/** Records by slug, or by ID if digits were typed: those in the trash for `restore`; none if the calendar is not reachable within 2 s. */
async function recordCandidates(resource: ResourceName, position: Position, session: Session, current: string): Promise<Candidate[]> {
  try {
    const { connect } = await import('../connect/connect.ts');
    const { plainText } = await import('../terminal/safe-text.ts');
    const { listWhole } = await import('../../data/record-names.ts');
    const { everyRecord } = await import('../../model/paging.ts');
    const { maxPerPage } = await import('../../model/fields/list.ts');
    const { resources } = await import('../../model/resources/all.ts');
    const { label } = resources[resource];
    const connection = await connect(withTarget(session, position).globals, session.terminal, 'read');
    try {
      const collection = connection.calendar[resource];
      const selected = { per_page: String(maxPerPage), ...(position.command.name() === 'restore' ? { status: 'trash' } : {}) };
      const { page, query } = await listWhole(selected, resources[resource], collection);
      const key = /^\d/.test(current) ? 'id' : 'slug';
      const records: Candidate[] = [];
      for await (const entry of everyRecord(collection, query, { first: page, members: new Set(['id', 'slug', label]) })) {
        const value = String(entry[key] || entry.id).replace(/__trashed(-\d+)?$/, '');
        records.push({ value, about: plainText(String(entry[label] ?? '')) });
        if (!collection.listAll && records.length === maxRequested) break;
      }
      return records;
    } finally {
      await connection.close();
    }
  } catch {
    return [];
  }
}
