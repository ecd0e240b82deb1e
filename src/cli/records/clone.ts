import type { Entry, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { CommandAction } from '../session.ts';
import { forEach } from './batch.ts';
import { editable } from './editable.ts';
import { withHint } from './hints.ts';
import { inputsOf } from './input.ts';
import { Inputs } from './meaning.ts';
import { targetsOf } from './targets.ts';
import { printResults } from './write.ts';

/** What a copy has of its own. */
const own = ['slug', 'date', 'author'];

/** `clone`: a new event like another one, with the given fields over it; a start that differs takes the end along. A password is not copied: no answer has it. */
export const clone =
  (resource: Resource): CommandAction =>
  async (session, [name], options) => {
    const [over = {}, ...more] = await inputsOf(resource, options, session.terminal);
    if (more.length) throw new Failure('bad-request', 'clone takes one set of fields, not a list');
    const connection = await session.connect('write');
    const collection = connection.calendar[resource.name];
    const reader = new Inputs(resource, connection);
    const work = async (): Promise<Entry> => {
      const [target] = await targetsOf([String(name)], resource, collection);
      if (!target?.before) throw new Failure('rest_forbidden', `${resource.kind} ${name} cannot be read`);
      const isCopied = ([field, value]: [string, unknown]) => !own.includes(field) && value !== '' && value !== null;
      const same = Object.fromEntries(Object.entries(editable(resource, target.before)).filter(isCopied));
      try {
        const copied = await reader.names.resolve(resource.fields, same);
        return await collection.create({ ...copied, ...(await reader.meant(over, target.before)) });
      } catch (error) {
        throw withHint(error, resource.fields, over);
      }
    };
    return printResults(session, options, resource, forEach(session, [name], String, options, work), true);
  };
