import type { Entry, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { CommandAction } from '../session.ts';
import { Inputs } from './arguments.ts';
import { forEach } from './batch.ts';
import { checkOutput } from './check-output.ts';
import { editable } from './editable.ts';
import { withHint } from './hints.ts';
import { inputsOf } from './input.ts';
import { targetsOf } from './targets.ts';
import { printResults } from './write.ts';

/** Fields that are not copied. */
const uncopied = ['slug', 'date', 'author'];

/** `clone`: copies an event, with the given fields on top. A new start moves the end. Passwords are not copied, because responses don't contain them. */
export const clone =
  (resource: Resource): CommandAction =>
  async (session, [name], options) => {
    const [changes = {}, ...more] = await inputsOf(resource, options, session.terminal);
    if (more.length) throw new Failure('bad-request', 'clone expects one object in --data, not a list');
    const connection = await session.connect('write');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const reader = new Inputs(resource, connection, { createMissing: Boolean(options.createMissing) });
    const work = async (): Promise<Entry> => {
      const [target] = await targetsOf([String(name)], resource, collection);
      if (!target?.before) throw new Failure('rest_forbidden', `You cannot read ${resource.kind} ${name}`);
      const isCopied = ([field, value]: [string, unknown]) => !uncopied.includes(field) && value !== '' && value !== null;
      const unchanged = Object.fromEntries(Object.entries(editable(resource, target.before)).filter(isCopied));
      try {
        const copied = await reader.names.resolve(resource.fields, unchanged);
        return await collection.create({ ...copied, ...(await reader.resolve(changes, target.before)) });
      } catch (error) {
        throw withHint(error, resource.fields, changes);
      }
    };
    return printResults(session, options, resource, forEach(session, [name], String, options, work), true);
  };
