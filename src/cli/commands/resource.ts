import { type Command, Option } from 'commander';
import type { Resource, ResourceName } from '../../model/calendar.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { addNote } from '../help/examples.ts';
import { addOptions, optionsOf } from '../options.ts';
import { sortOption } from '../records/check-output.ts';
import { spanOptions } from '../records/dates.ts';
import { edit } from '../records/edit.ts';
import { addInput } from '../records/input.ts';
import { get, list } from '../records/list.ts';
import { addOutput, addPaging } from '../records/output.ts';
import { listOptions, update } from '../records/update.ts';
import { clone, create, remove, restore } from '../records/write.ts';
import type { Runner } from '../session.ts';
import { build as buildShift } from './shift.ts';

const paging = ['page', 'per_page'];
const firstFilters = ['search', 'starts_after', 'starts_before', 'ends_after', 'ends_before', 'start_date', 'end_date', 'strict_dates'];

/** The filters except pagination, the most used first. */
const ordered = (filters: readonly ListParameter[]): ListParameter[] => {
  const rank = ({ name }: ListParameter) => (firstFilters.includes(name) ? firstFilters.indexOf(name) : firstFilters.length);
  return filters.filter(({ name }) => !paging.includes(name)).sort((a, b) => rank(a) - rank(b));
};

const names = ['<id...>', 'IDs, slugs or names; - reads IDs and slugs from standard input'] as const;
const oneName = ['<id>', 'ID, slug or name'] as const;
const quiet = () => new Option('-q, --quiet', 'Print only the ID').helpGroup('Output:');

/** An action on the records of a resource. */
interface Action {
  name: string;
  alias?: string;
  summary: string;
  /** Adds arguments, options and what the command does. */
  build(command: Command): void;
}

/** Adds the actions of a resource, with options from its fields and filters; only one if `word` names it. */
export function build(command: Command, runner: Runner, word?: string): void {
  const resource = (runner.resources ?? resources)[command.name() as ResourceName];
  const actions = actionsOn(resource, runner);
  const matches = actions.filter(({ name, alias }) => word !== undefined && [name, alias].includes(word));
  for (const { name, alias, summary, build } of matches.length > 0 ? matches : actions) {
    const action = command.command(name).summary(summary);
    if (alias !== undefined) action.alias(alias);
    build(action);
  }
}

function actionsOn(resource: Resource, runner: Runner): Action[] {
  const { name, kind, family } = resource;
  const isEvent = name === 'events';
  const one = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
  const actions: (Action | false)[] = [
    { name: 'list', alias: 'ls', summary: `List ${name}`, build: (command) => buildList(command, resource, runner) },
    {
      name: 'get',
      summary: `Show ${name}`,
      build(command) {
        command.argument(...names).addOption(new Option('--web', 'Open its page in the browser').helpGroup('Output:'));
        if (isEvent) command.option('--password <text>', 'Password of the event');
        addOutput(command).action(runner.action(get(resource)));
      },
    },
    {
      name: 'create',
      alias: 'new',
      summary: `Create ${one}`,
      build(command) {
        if (isEvent) command.option('--repeat <rule>', "Create a series, e.g. 'FREQ=WEEKLY;COUNT=10'");
        addInput(command, resource, true).option('--dry-run', 'Show what would be created');
        addNote(addOutput(command.addOption(quiet())), declaredNote).action(runner.action(create(resource)));
      },
    },
    {
      name: 'update',
      summary: `Update ${name}`,
      build(command) {
        addOptions(addInput(command.argument(...names), resource, false), listOptions(resource));
        command.option('--dry-run', 'Show what would change');
        if (isEvent) command.addOption(series());
        addNote(addOutput(command.addOption(quiet())), declaredNote).action(runner.action(update(resource)));
      },
    },
    {
      name: 'edit',
      summary: `Edit ${one} as JSON in VISUAL or EDITOR`,
      build(command) {
        addOutput(command.argument(...oneName).addOption(quiet())).action(runner.action(edit(resource), { graceful: true }));
      },
    },
    isEvent && {
      name: 'clone',
      summary: 'Create a copy of an event with changes',
      build(command) {
        addInput(command.argument(...oneName), resource, false);
        addNote(addOutput(command.addOption(quiet())), declaredNote).action(runner.action(clone(resource)));
      },
    },
    isEvent && { name: 'shift', summary: 'Move events by a duration', build: (command) => buildShift(command, runner) },
    {
      name: 'delete',
      alias: 'rm',
      summary: family === 'post' ? `Move ${name} to the trash` : `Delete ${name} permanently`,
      build(command) {
        command.argument(...names).option('--dry-run', 'Show what would be deleted');
        command.option('-y, --yes', 'Skip the confirmation prompt').addOption(quiet());
        if (isEvent) command.addOption(series());
        addOutput(command).action(runner.action(remove(resource)));
      },
    },
    family === 'post' && {
      name: 'restore',
      summary: `Restore ${name} from the trash`,
      build(command) {
        const status = new Option('--status <status>', 'Status to set').choices(['publish', 'draft', 'pending', 'private']);
        command.argument(...names).addOption(status.default('publish'));
        command.option('--dry-run', 'Show what would be restored');
        addOutput(command.addOption(quiet())).action(runner.action(restore(resource)));
      },
    },
  ];
  return actions.filter((action) => action !== false);
}

const series = () => new Option('--series', 'All events of the same series');

const declaredNote = 'Declared fields of the calendar are options too (see calendar fields list).\n';

const amountNote = ({ name }: Resource): string =>
  `On a terminal, list prints the first page of 10 ${name}. In a pipe or a file, it prints
every match; --per-page is then the size of a request. --page prints one page.
${declaredNote}${name === 'events' ? 'Without dates, a list covers the next two years (see calendar help dates).\n' : ''}`;

function buildList(listing: Command, resource: Resource, runner: Runner): void {
  const pages = resource.list.parameters.filter((filter) => paging.includes(filter.name));
  if (resource.name === 'events') addOptions(listing, spanOptions());
  addOptions(
    listing,
    optionsOf(ordered(resource.list.parameters), () => 'Filters:'),
  );
  addOptions(
    listing,
    optionsOf(pages, () => 'Pagination:'),
  );
  addPaging(listing.addOption(sortOption().helpGroup('Pagination:')), resource);
  listing.addOption(new Option('-q, --quiet', 'Print only IDs, and no notices').helpGroup('Output:'));
  addNote(addOutput(listing), amountNote(resource)).action(runner.action(list(resource)));
}
