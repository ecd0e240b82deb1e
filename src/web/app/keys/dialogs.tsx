import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../parts/controls.tsx';
import { Modal } from '../parts/dialog.tsx';
import { Palette } from './palette.tsx';
import { areShortcutsOn, currentShortcuts, handleKeys, setShortcuts, useShortcuts } from './shortcuts.ts';
import './shortcut-help.css';

/** A dialog that any view can show. */
type Dialog = ComponentType<{ onClose(): void }>;

let show: (dialog: Dialog) => void = () => {};
/** Opens a dialog over the view, in place of another one. */
export const openDialog = (dialog: Dialog): void => show(dialog);

handleKeys(() => show(Palette));

/** Container of the dialogs that any view can show. */
export function GlobalDialogs() {
  const [Current, setCurrent] = useState<Dialog>();
  show = (dialog) => setCurrent(() => dialog);
  useShortcuts([{ key: '?', label: 'Show keyboard shortcuts', run: () => show(ShortcutHelp) }]);
  return Current ? <Current onClose={() => setCurrent((latest: Dialog | undefined) => (latest === Current ? undefined : latest))} /> : null;
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
    <Modal title="Keyboard shortcuts" onClose={onClose}>
      <dl class="shortcut-help">
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
        <Button label="Close" autofocus onClick={onClose} />
      </p>
    </Modal>
  );
}
