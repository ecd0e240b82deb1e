import { Failure } from '../../model/error.ts';
import type { Store } from '../../store/calendar.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { projectConfig } from './config.ts';

/** Declares the fields of the project's configuration; a reader only compares them. Throws `conflict` if the calendar declares one of them differently. */
export async function declareConfigured(store: Store, terminal: Terminal, mode: 'read' | 'write'): Promise<void> {
  const { file, fields } = (await projectConfig(terminal)) ?? {};
  if (!fields) return;
  try {
    const { checkDeclarations, joined } = await import('../../model/resources/declared.ts');
    checkDeclarations(fields);
    const all = joined(store.settings.fields, fields);
    if (mode === 'write' && JSON.stringify(all) !== JSON.stringify(store.settings.fields))
      await store.change((local) => local.declare(fields));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `${file}: ${error.message}` });
  }
}
