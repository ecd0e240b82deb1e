import { useState } from 'preact/hooks';
import { lazy } from '../lazy.tsx';
import { handleKeys, useShortcuts } from './shortcuts.ts';

type Name = 'palette' | 'help' | 'quick add';

const views = {
  palette: lazy(async () => (await import('./all-dialogs.ts')).Palette, null),
  help: lazy(async () => (await import('./all-dialogs.ts')).ShortcutHelp, null),
  'quick add': lazy(async () => (await import('./all-dialogs.ts')).QuickAdd, null),
};

let show: (name: Name | undefined) => void = () => {};
/** Opens a dialog that any view can show. */
export const openDialog = (name: Name): void => show(name);

handleKeys(() => show('palette'));

/** Container of the dialogs that any view can show. */
export function GlobalDialogs() {
  const [name, setName] = useState<Name>();
  show = setName;
  useShortcuts([{ key: '?', label: 'Show keyboard shortcuts', run: () => setName('help') }]);
  if (!name) return null;
  const Dialog = views[name];
  return <Dialog onClose={() => setName(undefined)} />;
}
