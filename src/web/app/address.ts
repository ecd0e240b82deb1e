import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
const here = () => location.pathname + location.search;

let back = false;
addEventListener('popstate', () => {
  back = true;
});
/** Whether what is shown was gone back to, or forward: it is as it was left. */
export const isReturn = (): boolean => back;

/** Goes to another address of the page, as a click on a link would. */
export function go(address: string, { replace = false } = {}): void {
  if (address === here()) return;
  back = false;
  const elsewhere = new URL(address, location.href).pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  if (elsewhere) scrollTo(0, 0);
  for (const listener of listeners) listener();
}

/** The address that is shown. */
export function useAddress(): URL {
  const [address, setAddress] = useState(here);
  useEffect(() => {
    const listener = () => setAddress(here());
    listeners.add(listener);
    addEventListener('popstate', listener);
    // What was drawn first may have gone on already.
    listener();
    return () => {
      listeners.delete(listener);
      removeEventListener('popstate', listener);
    };
  }, []);
  return new URL(address, location.href);
}

/** Paths that this page answers; others, as the API's and the feed, are the browser's to open. */
const own = /^\/$|^\/(event|venue|organizer|events\/category|tag)\/|^\/_calendar(\/|\/api\/?)?$/;

/** Follows links within the page without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin || !own.test(link.pathname) || link.hash) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
