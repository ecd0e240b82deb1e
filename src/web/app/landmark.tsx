import type { ComponentProps } from 'preact';

let hasNavigated = false;

/** Focuses the main landmark after navigation if the focused element was removed. Keyboard and screen reader users continue from there. */
export function focusMain(): void {
  hasNavigated = true;
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** The main landmark of a view. Receives the focus after navigation. */
export const Main = (properties: ComponentProps<'main'>) => (
  <main id="main" tabIndex={-1} ref={(main) => void (main && hasNavigated && focusMain())} {...properties} />
);
