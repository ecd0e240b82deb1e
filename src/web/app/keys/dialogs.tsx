import { useState } from 'preact/hooks';
import { Button } from '../controls.tsx';
import { Modal } from '../dialog.tsx';
import { Palette } from './palette.tsx';
import { QuickAdd } from './quick-add.tsx';
import { areShortcutsOn, currentShortcuts, handleKeys, setShortcuts, useShortcuts } from './shortcuts.ts';

const dialogs = { palette: Palette, help: ShortcutHelp, 'quick add': QuickAdd };
type Name = keyof typeof dialogs;

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
  const Dialog = dialogs[name];
  return <Dialog onClose={() => setName((current) => (current === name ? undefined : current))} />;
}

const names: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

/** Keys that have a modifier or apply to the focused event. */
const others = [
  ['Ctrl K or ⌘ K', 'Find views, dates, records and actions'],
  ['Arrows', 'On an event: focus the next event'],
  ['Alt + arrows', 'On an event: move it'],
  ['Alt + Shift + arrows', 'On an event: change its end'],
] as const;

/** The keyboard shortcuts of the current view, and a switch to turn them off. */
function ShortcutHelp({ onClose }: { onClose(): void }) {
  const [isOn, setOn] = useState(areShortcutsOn);
  const rows = [...currentShortcuts().map(({ key, label }) => [names[key] ?? key, label] as const), ...others];
  return (
    <Modal title="Keyboard shortcuts" class="shortcuts" onClose={onClose}>
      <dl>
        {rows.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            setShortcuts(checked);
            setOn(checked);
          }}
        />
        Use single keys as shortcuts
      </label>
      <p class="form-actions">
        <Button label="Close" onClick={onClose} />
      </p>
    </Modal>
  );
}
