/** The dialogs that are loaded when they are first shown. */
export { ShortcutHelp } from './help.tsx';
export { Palette } from './palette.tsx';
export { QuickAdd } from './quick-add.tsx';
