import { type Command, Option } from 'commander';
import type { Resource, ResourceName } from '../../model/calendar.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { resources } from '../../model/resources/all.ts';
import { addNote } from '../help/notes.ts';
import { addOptions, optionsOf } from '../options.ts';
import { clone } from '../records/clone.ts';
import { spanOptions } from '../records/dates.ts';
import { edit } from '../records/edit.ts';
import { addInput } from '../records/input.ts';
import { list } from '../records/list.ts';
import { listOptions } from '../records/list-changes.ts';
import { addOutput, addPaging } from '../records/output.ts';
import { get } from '../records/read.ts';
import { restore } from '../records/restore.ts';
import { sortOption } from '../records/sorting.ts';
import { update } from '../records/update.ts';
import { create, remove } from '../records/write.ts';
import type { Runner } from '../session.ts';
import { build as buildShift } from './shift.ts';

const paging = ['page', 'per_page'];
const firstFilters = ['search', 'starts_after', 'starts_before', 'ends_after', 'ends_before', 'start_date', 'end_date', 'strict_dates'];

/** Returns the filters except pagination, the most used first. */
const ordered = (filters: readonly ListParameter[]): ListParameter[] => {
  const rank = ({ name }: ListParameter) => (firstFilters.includes(name) ? firstFilters.indexOf(name) : firstFilters.length);
  return filters.filter(({ name }) => !paging.includes(name)).sort((a, b) => rank(a) - rank(b));
};

const names = ['<id...>', 'IDs, slugs or names; - reads IDs and slugs from standard input'] as const;
const oneName = ['<id>', 'ID, slug or name'] as const;
const quiet = () => new Option('-q, --quiet', 'Print only the ID').helpGroup('Output:');

/** Adds the actions of a resource, with options from its fields and filters. */
export function build(command: Command, runner: Runner): void {
  const resource = (runner.resources ?? resources)[command.name() as ResourceName];
  const one = `${/^[aeiou]/.test(resource.kind) ? 'an' : 'a'} ${resource.kind}`;
  buildList(command, resource, runner);

  const getting = command
    .command('get')
    .summary(`Show ${resource.name}`)
    .argument(...names)
    .addOption(new Option('--web', 'Open its page in the browser').helpGroup('Output:'));
  if (resource.name === 'events') getting.option('--password <text>', 'Password of the event');
  addOutput(getting).action(runner.action(get(resource)));

  const creating = command.command('create').alias('new').summary(`Create ${one}`);
  if (resource.name === 'events') creating.option('--repeat <rule>', "Create a series, e.g. 'FREQ=WEEKLY;COUNT=10'");
  addNote(addOutput(addInput(creating, resource, true).addOption(quiet())), declaredNote).action(runner.action(create(resource)));

  const updating = command
    .command('update')
    .summary(`Update ${resource.name}`)
    .argument(...names);
  addOptions(addInput(updating, resource, false), listOptions(resource));
  updating.option('--dry-run', 'Show what would change');
  if (resource.name === 'events') updating.addOption(series());
  addNote(addOutput(updating.addOption(quiet())), declaredNote).action(runner.action(update(resource)));

  const editing = command
    .command('edit')
    .summary(`Edit ${one} as JSON in VISUAL or EDITOR`)
    .argument(...oneName);
  addOutput(editing.addOption(quiet())).action(runner.action(edit(resource), { graceful: true }));

  if (resource.name === 'events') {
    const cloning = command
      .command('clone')
      .summary('Create a copy of an event with changes')
      .argument(...oneName);
    addNote(addOutput(addInput(cloning, resource, false).addOption(quiet())), declaredNote).action(runner.action(clone(resource)));
  }

  if (resource.name === 'events') buildShift(command.command('shift').summary('Move events by a duration'), runner);

  const deleting = command
    .command('delete')
    .alias('rm')
    .summary(resource.family === 'post' ? `Move ${resource.name} to the trash` : `Delete ${resource.name} permanently`)
    .argument(...names);
  deleting.option('--dry-run', 'Show what would be deleted').option('-y, --yes', 'Skip the confirmation prompt').addOption(quiet());
  if (resource.name === 'events') deleting.addOption(series());
  addOutput(deleting).action(runner.action(remove(resource)));
  if (resource.family === 'term') return;

  const restoring = command
    .command('restore')
    .summary(`Restore ${resource.name} from the trash`)
    .argument(...names)
    .addOption(new Option('--status <status>', 'Status to set').choices(['publish', 'draft', 'pending', 'private']).default('publish'));
  restoring.option('--dry-run', 'Show what would be restored');
  addOutput(restoring.addOption(quiet())).action(runner.action(restore(resource)));
}

const series = () => new Option('--series', 'All events of the same series');

const declaredNote = 'Declared fields of the calendar are options too (see calendar fields list).\n';

/** Returns the help on how many records a list prints. */
const amountNote = ({ name }: Resource): string =>
  `On a terminal, list prints the first page of 10 ${name}. In a pipe or a file, it prints
every match; --per-page is then the size of a request. --page prints one page.
${declaredNote}${name === 'events' ? 'Without dates, a list covers the next two years (see calendar help dates).\n' : ''}`;

function buildList(command: Command, resource: Resource, runner: Runner): void {
  const listing = command.command('list').alias('ls').summary(`List ${resource.name}`);
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
