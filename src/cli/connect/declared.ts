import { type Declarations, joined, type Resources, resourcesWith } from '../../model/resources/declared.ts';
import type { Globals } from '../global-options.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import { configFiles } from './config.ts';
import { connectControl } from './connect.ts';
import { mayControl, targetOf } from './target.ts';

/** The resources with the fields that the selected calendar declares; undefined if it declares none or doesn't tell. */
export async function declaredResources(globals: Globals, terminal: Terminal): Promise<Resources | undefined> {
  try {
    const target = await targetOf(globals, terminal);
    if (target.kind === 'remote' && !mayControl(target.url, variable(terminal, 'CALENDAR_CONTROL_TOKEN'))) return undefined;
    let fields = await fieldsOf(globals, terminal);
    // A command that writes to a file declares those of the configuration.
    if (target.kind === 'file') for (const config of await configFiles(terminal)) fields = joined(fields, config.fields ?? {});
    return Object.values(fields).some((each) => Object.keys(each).length) ? resourcesWith(fields) : undefined;
  } catch {
    // The command reports why the calendar can't be read.
    return undefined;
  }
}

/** The fields that the selected calendar declares; none if it is missing. */
async function fieldsOf(globals: Globals, terminal: Terminal): Promise<Declarations> {
  try {
    const { control, close } = await connectControl(globals, terminal, 'read');
    return await control('fields', {})
      .then(({ fields }) => fields)
      .finally(close);
  } catch {
    return {};
  }
}
