import type { Command, Option } from 'commander';
import { type ResourceName, resourceNames } from '../model/resource.ts';
import { complete as load, programFor } from './program.ts';
import { type Session, Shell } from './shell.ts';
import { topics } from './topics.ts';

/** One thing that may come next. */
interface Candidate {
  value: string;
  about?: string;
}

/** `calendar complete -- WORDS…`: what may stand in place of the last word, a value and a tab and what it is on each line. */
export function build(command: Command, shell: Shell): void {
  command.argument('[words...]').action(
    shell.action(async (session, [words]) => {
      const [current = '', ...before] = [...(words as string[])].reverse();
      const wanted = current === '""' ? '' : current;
      const found = await candidates(before.reverse(), wanted, session);
      const lines = found.filter(({ value }) => value.startsWith(wanted)).map(({ value, about }) => (about ? `${value}\t${about}` : value));
      await session.print(lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''));
      return undefined;
    }),
  );
}

/** The command that words lead to, the option that waits for its value, and what was said before. */
interface Position {
  command: Command;
  path: string[];
  waiting?: Option;
  args: string[];
  /** Options that say which calendar, as they were given. */
  given: Record<string, string>;
}

async function positionOf(words: readonly string[], session: Session): Promise<Position> {
  const position: Position = { command: programFor(new Shell(session.terminal), { out: '' }), path: [], args: [], given: {} };
  for (const word of words) {
    if (position.waiting) {
      position.given[position.waiting.attributeName()] = word;
      position.waiting = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const [flag, value] = word.split(/=(.*)/s);
      const option = position.command.options.find(({ long, short }) => long === flag || short === flag);
      if (option && value !== undefined) position.given[option.attributeName()] = value;
      else if (option?.required) position.waiting = option;
      continue;
    }
    const below = position.command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) {
      position.args.push(word);
      continue;
    }
    if (!position.path.length) await load(below, new Shell(session.terminal));
    position.command = below;
    position.path.push(below.name());
  }
  return position;
}

async function candidates(words: readonly string[], current: string, session: Session): Promise<Candidate[]> {
  const position = await positionOf(words, session);
  const { command, path, waiting, args } = position;
  if (waiting) return valuesOf(waiting, position, session, current);
  if (current.startsWith('-')) return flagsOf(command);
  if (command.commands.length)
    return command.commands
      .filter((each) => !(each as unknown as { _hidden?: boolean })._hidden)
      .map((each) => ({ value: each.name(), about: each.summary() }));
  if (path[0] === 'help') return helpWords(args, session);
  const choices = command.registeredArguments[args.length]?.argChoices;
  if (choices) return choices.map((value) => ({ value }));
  const [resource, action] = path;
  if (isResource(resource) && ['get', 'update', 'delete'].includes(action ?? ''))
    return records(resource, position, session, current, 'slug');
  return [];
}

function flagsOf(command: Command): Candidate[] {
  // A way to say no is hidden from the help, where it would double every switch.
  const shown = command.options.filter((option) => option.long && (!option.hidden || option.negate));
  return [...shown.map((option) => ({ value: option.long!, about: option.description })), { value: '--help', about: 'show help' }];
}

async function helpWords(args: readonly string[], session: Session): Promise<Candidate[]> {
  const { command } = await positionOf(args, session);
  const names = command.commands.map((each) => ({ value: each.name(), about: each.summary() }));
  return args.length ? names : [...names, ...Object.keys(topics).map((value) => ({ value, about: 'more on it' }))];
}

const isResource = (name: string | undefined): name is ResourceName => resourceNames.some((known) => known === name);

/** The resource that the value of an option names a record of, and whether by slug. */
const linked: Record<string, { resource: ResourceName; by: 'slug' | 'id' }> = {
  '--venue': { resource: 'venues', by: 'id' },
  '--organizer': { resource: 'organizers', by: 'id' },
  '--categories': { resource: 'categories', by: 'slug' },
  '--tags': { resource: 'tags', by: 'slug' },
  '--event': { resource: 'events', by: 'id' },
  '--post': { resource: 'events', by: 'id' },
  '--post-parent': { resource: 'events', by: 'id' },
  '--parent': { resource: 'categories', by: 'id' },
};

async function valuesOf(option: Option, position: Position, session: Session, current: string): Promise<Candidate[]> {
  if (option.argChoices) return option.argChoices.map((value) => ({ value }));
  const [resource] = position.path;
  if (option.long === '--include' && isResource(resource)) return records(resource, position, session, current, 'id');
  // The name of a new venue is no link to one.
  const link = option.long ? linked[option.long] : undefined;
  return link && link.resource !== resource ? records(link.resource, position, session, current, link.by) : [];
}

/** Records of the calendar that is meant, by slug or ID; none where it cannot be reached soon. */
async function records(
  resource: ResourceName,
  position: Position,
  session: Session,
  current: string,
  by: 'slug' | 'id',
): Promise<Candidate[]> {
  try {
    const { connect } = await import('./connect.ts');
    const { plain } = await import('./print/plain.ts');
    const { resources } = await import('../model/resources.ts');
    const { url, db, profile, namespace, user } = position.given;
    const connection = await connect({ ...session.globals, url, db, profile, namespace, user, timeout: 2 }, session.terminal, 'read');
    try {
      const { entries } = await connection.calendar[resource].list({
        per_page: '50',
        ...(resource === 'categories' || resource === 'tags' ? { hide_empty: 'false' } : {}),
      });
      const key = /^\d/.test(current) ? 'id' : by;
      return entries.map((entry) => ({
        value: String(entry[key] || entry.id),
        about: plain(String(entry[resources[resource].label] ?? '')),
      }));
    } finally {
      await connection.close();
    }
  } catch {
    return [];
  }
}
