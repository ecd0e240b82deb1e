import type { ComponentProps } from 'preact';

let moved = false;

/** Gives the focus to what was gone to, where what had it went away with the view before: who reads by ear or goes on by keyboard is there. */
export function land(): void {
  moved = true;
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** What a view shows, which takes the focus when somebody went there. */
export const Main = (properties: ComponentProps<'main'>) => (
  <main id="main" tabIndex={-1} ref={(main) => void (main && moved && land())} {...properties} />
);
