import type { Command, Option } from 'commander';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { globalsFor } from '../global-options.ts';
import { topics } from '../help/topics.ts';
import type { Runner, Session } from '../session.ts';

/** A candidate for the word being typed. */
interface Candidate {
  value: string;
  about?: string;
}

/** `calendar complete -- WORDS…`: the candidates for the last word, as lines of value, tab, description. */
export function build(command: Command, runner: Runner): void {
  command.argument('[words...]').action(
    runner.action(async (session, [words]) => {
      const [current = '', ...before] = [...(words as string[])].reverse();
      const wanted = current === '""' ? '' : current;
      const found = await candidates(before.reverse(), wanted, session);
      const lines = found.filter(({ value }) => value.startsWith(wanted)).map(({ value, about }) => (about ? `${value}\t${about}` : value));
      await session.print(lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''));
      return undefined;
    }),
  );
}

/** The command that words lead to, its arguments so far, and an option that still needs its value. */
interface Position {
  command: Command;
  path: string[];
  pendingOption?: Option;
  args: string[];
  /** The options given so far, by attribute name. */
  options: Record<string, string>;
}

async function positionOf(words: readonly string[], session: Session): Promise<Position> {
  const position: Position = { command: session.program(), path: [], args: [], options: {} };
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
    const below = position.command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) {
      position.args.push(word);
      continue;
    }
    if (!position.path.length) await session.load(below);
    position.command = below;
    position.path.push(below.name());
  }
  return position;
}

async function candidates(words: readonly string[], current: string, session: Session): Promise<Candidate[]> {
  const position = await positionOf(words, session);
  const { command, path, pendingOption, args } = position;
  if (pendingOption) return optionValues(pendingOption, position, session, current);
  if (current.startsWith('-')) return flagsOf(command, path[0]);
  if (command.commands.length)
    return command
      .createHelp()
      .visibleCommands(command)
      .map((each) => ({ value: each.name(), about: each.summary() }));
  if (path[0] === 'help') return helpWords(args, session);
  const choices = command.registeredArguments[args.length]?.argChoices;
  if (choices) return choices.map((value) => ({ value }));
  const [resource, action] = path;
  if (isResource(resource) && ['get', 'update', 'edit', 'clone', 'delete'].includes(action ?? ''))
    return recordCandidates(resource, position, session, current, 'slug');
  return [];
}

function flagsOf(command: Command, name: string | undefined): Candidate[] {
  const globals = new Set(name === undefined ? [] : globalsFor(name).map(({ long }) => long));
  // `--no-` forms are hidden in help, where they would double every switch, but completed.
  const shown = command.options.filter(({ long, hidden, negate }) => long && (!hidden || negate || globals.has(long)));
  return [...shown.map((option) => ({ value: option.long!, about: option.description })), { value: '--help', about: 'show help' }];
}

async function helpWords(args: readonly string[], session: Session): Promise<Candidate[]> {
  const { command } = await positionOf(args, session);
  const names = command.commands.map((each) => ({ value: each.name(), about: each.summary() }));
  return args.length ? names : [...names, ...Object.keys(topics).map((value) => ({ value, about: 'more on it' }))];
}

const isResource = (name: string | undefined): name is ResourceName => resourceNames.some((known) => known === name);

/** Options that name a record: of which resource, and by slug or ID. */
const linkOptions: Record<string, { resource: ResourceName; by: 'slug' | 'id' }> = {
  '--venue': { resource: 'venues', by: 'id' },
  '--organizer': { resource: 'organizers', by: 'id' },
  '--categories': { resource: 'categories', by: 'slug' },
  '--tags': { resource: 'tags', by: 'slug' },
  '--event': { resource: 'events', by: 'id' },
  '--post': { resource: 'events', by: 'id' },
  '--post-parent': { resource: 'events', by: 'id' },
  '--parent': { resource: 'categories', by: 'id' },
};

async function optionValues(option: Option, position: Position, session: Session, current: string): Promise<Candidate[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  const [resource] = position.path;
  if (option.long === '--include' && isResource(resource)) return recordCandidates(resource, position, session, current, 'id');
  // `venues create --venue` gives a name, not a link.
  const link = option.long ? linkOptions[option.long] : undefined;
  return link && link.resource !== resource ? recordCandidates(link.resource, position, session, current, link.by) : [];
}

/** Records of the target by slug or ID; none if it cannot be reached within two seconds. */
async function recordCandidates(
  resource: ResourceName,
  position: Position,
  session: Session,
  current: string,
  by: 'slug' | 'id',
): Promise<Candidate[]> {
  try {
    const { connect } = await import('../connect/connect.ts');
    const { plainText } = await import('../terminal/safe-text.ts');
    const { resources } = await import('../../model/resources/all.ts');
    const { url, db, profile, namespace, user } = position.options;
    const connection = await connect({ ...session.globals, url, db, profile, namespace, user, timeout: 2 }, session.terminal, 'read');
    try {
      const { entries } = await connection.calendar[resource].list({
        per_page: '50',
        ...(resource === 'categories' || resource === 'tags' ? { hide_empty: 'false' } : {}),
      });
      const key = /^\d/.test(current) ? 'id' : by;
      return entries.map((entry) => ({
        value: String(entry[key] || entry.id),
        about: plainText(String(entry[resources[resource].label] ?? '')),
      }));
    } finally {
      await connection.close();
    }
  } catch {
    return [];
  }
}
