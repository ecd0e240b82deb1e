import { type Command, Option } from 'commander';
import type { Filter } from '../model/filter.ts';
import type { ResourceName } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { addInput } from './input.ts';
import { addOptions, optionsOf } from './options.ts';
import { addOutput, addPaging } from './output.ts';
import { get, list } from './reading.ts';
import type { Shell } from './shell.ts';
import { create, remove, update } from './writing.ts';

const paging = ['page', 'per_page'];
const most = ['search', 'starts_after', 'starts_before', 'ends_after', 'ends_before', 'start_date', 'end_date', 'strict_dates'];

/** Filters with the most used first, as the help shows them; those that say which page are apart. */
const ordered = (filters: readonly Filter[]): Filter[] => {
  const rank = ({ name }: Filter) => (most.includes(name) ? most.indexOf(name) : most.length);
  return filters.filter(({ name }) => !paging.includes(name)).sort((a, b) => rank(a) - rank(b));
};

/** The commands of a resource: its five actions, their options read off its fields and filters. */
export function build(command: Command, shell: Shell): void {
  const resource = resources[command.name() as ResourceName];
  const one = `${/^[aeiou]/.test(resource.kind) ? 'an' : 'a'} ${resource.kind}`;
  const names = ['<id...>', 'IDs or slugs; - reads them from stdin'] as const;

  const listing = command.command('list').alias('ls').summary(`${resource.name} that match`);
  addOptions(
    listing,
    optionsOf(ordered(resource.filters), () => 'Filters:'),
  );
  addOptions(
    listing,
    optionsOf(
      resource.filters.filter((filter) => paging.includes(filter.name)),
      () => 'Pages:',
    ),
  );
  addOutput(addPaging(listing)).action(shell.action(list(resource)));

  const getting = command
    .command('get')
    .summary(`${one} by ID or slug, or several`)
    .argument(...names);
  if (resource.name === 'events') getting.addOption(new Option('--password <text>', 'opens a protected event'));
  addOutput(getting).action(shell.action(get(resource)));

  const creating = command.command('create').alias('new').summary(`make ${one}`);
  addInput(creating, resource, true).addOption(new Option('-q, --quiet', 'print the ID alone').helpGroup('Output:'));
  addOutput(creating).action(shell.action(create(resource)));

  const updating = command
    .command('update')
    .alias('edit')
    .summary(`change ${one}: what is given, and nothing else`)
    .argument(...names);
  addInput(updating, resource, false).addOption(new Option('-q, --quiet', 'print the ID alone').helpGroup('Output:'));
  addOutput(updating).action(shell.action(update(resource)));

  const deleting = command
    .command('delete')
    .alias('rm')
    .summary(resource.family === 'post' ? `move ${one} to the trash` : `delete ${one} for good`)
    .argument(...names);
  deleting.option('--dry-run', 'say what would go, and change nothing').option('-y, --yes', 'do not ask');
  deleting.addOption(new Option('-q, --quiet', 'print the ID alone').helpGroup('Output:'));
  addOutput(deleting).action(shell.action(remove(resource)));
}
