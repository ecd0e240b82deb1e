import type { ComponentProps } from 'preact';
import { useEffect } from 'preact/hooks';
import { context } from './context.ts';

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

/** Sets the title of the page; keeps the current one if it is undefined. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} – ${context.title}`;
  }, [title]);
}
