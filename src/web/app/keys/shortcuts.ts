import { useEffect, useRef } from 'preact/hooks';

/** A command with its key, such as `t`, `?` or `ArrowLeft`. */
export interface Shortcut {
  key: string;
  label: string;
  run(event: KeyboardEvent): void;
  /** Returns false if the key currently has another meaning. */
  isActive?(): boolean;
}

const storageKey = 'shortcuts';
/** True if single keys are shortcuts in this browser. */
export const areShortcutsOn = (): boolean => localStorage.getItem(storageKey) !== 'off';
export const setShortcuts = (on: boolean): void => {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
};

const lists = new Set<{ current: readonly Shortcut[] }>();

export const currentShortcuts = (): Shortcut[] => [...lists].flatMap(({ current }) => current);

/** True if keys are typed into a control or belong to a dialog. */
const isTyping = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null) ||
  document.querySelector('dialog[open]') !== null;

/** Adds shortcuts while the component is shown. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    lists.add(latest);
    return () => void lists.delete(latest);
  }, []);
}

export const hasNoFocus = (): boolean => document.activeElement === document.body || document.activeElement?.id === 'main';

/** The shortcut that moves the focus to the first of the results of a view, if no control has it. */
export const resultsShortcut = (label: string, selector: string): Shortcut => ({
  key: 'ArrowDown',
  label,
  run: () => document.querySelector<HTMLElement>(selector)?.focus(),
  isActive: () => hasNoFocus() && document.querySelector(selector) !== null,
});

/** A handler with which the down arrow of a search moves the focus to the first of its results, where Tab would arrive. */
export const toResults = (selector: string) => (event: KeyboardEvent) => {
  if (event.key !== 'ArrowDown' || event.altKey || event.ctrlKey || event.metaKey) return;
  const result = document.querySelector<HTMLElement>(selector);
  if (!result) return;
  event.preventDefault();
  result.focus();
};

/** Runs shortcuts. `openPalette` is called for Ctrl-K and Command-K, which work in inputs too. */
export function handleKeys(openPalette: () => void): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      return openPalette();
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event) || !areShortcutsOn()) return;
    const match = currentShortcuts().find(({ key, isActive }) => key === event.key && isActive?.() !== false);
    if (!match) return;
    event.preventDefault();
    match.run(event);
  });
}
