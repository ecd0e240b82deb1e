import { useLayoutEffect, useState } from 'preact/hooks';
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

/** Text that was typed before the script of the dialog was loaded. */
let typedText = '';

/** Collects the text that is typed until a dialog is open, so that none of it is lost or taken for shortcuts. */
function collectText(onCancel: () => void): () => void {
  typedText = '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Backspace') typedText = typedText.slice(0, -1);
    else if (event.key.length === 1) typedText += event.key;
    else if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKeyDown, true);
  return () => document.removeEventListener('keydown', onKeyDown, true);
}

/** Container of the dialogs that any view can show. */
export function GlobalDialogs() {
  const [name, setName] = useState<Name>();
  show = setName;
  useShortcuts([{ key: '?', label: 'Show keyboard shortcuts', run: () => setName('help') }]);
  useLayoutEffect(() => (name ? collectText(() => setName(undefined)) : undefined), [name]);
  if (!name) return null;
  const Dialog = views[name];
  return <Dialog onClose={() => setName((current) => (current === name ? undefined : current))} initialText={() => typedText} />;
}
