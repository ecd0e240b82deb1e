/** The dialogs that are loaded when they are first shown. */
export { QuickAdd } from '../quick/quick-add.tsx';
export { ShortcutHelp } from './help.tsx';
export { Palette } from './palette.tsx';
