import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
const currentAddress = () => location.pathname + location.search;

let isRestored = false;
addEventListener('popstate', () => {
  isRestored = true;
});
/** Returns whether the current view was reached with the browser's Back or Forward button. */
export const isHistoryNavigation = (): boolean => isRestored;

const storageKey = 'calendar address';

/** Returns the address of the last calendar view in this tab, with its day and filters. */
export const lastCalendarAddress = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined;

/** Stores the address of the calendar view, for the links that return to it. */
export const rememberCalendarAddress = ({ pathname, search }: URL): void => sessionStorage.setItem(storageKey, pathname + search);

/** Navigates to another address of the page, like a click on a link. */
export function navigate(address: string, { replace = false } = {}): void {
  if (address === currentAddress()) return;
  isRestored = false;
  const isOtherPath = new URL(address, location.href).pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  if (isOtherPath) scrollTo(0, 0);
  for (const listener of listeners) listener();
}

/** Returns the current address and re-renders the component when it changes. */
export function useAddress(): URL {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => {
    const listener = () => setAddress(currentAddress());
    listeners.add(listener);
    addEventListener('popstate', listener);
    // The address may have changed between the first render and this effect.
    listener();
    return () => {
      listeners.delete(listener);
      removeEventListener('popstate', listener);
    };
  }, []);
  return new URL(address, location.href);
}

/** Paths that the page renders. The browser opens all others, such as the API and the feed. */
const pagePaths = /^\/$|^\/(event|venue|organizer|events\/category|tag)\/|^\/_calendar(\/|\/api\/?)?$/;

/** Handles clicks on links to the page without reloading it. */
export function handleLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || link.origin !== location.origin || !pagePaths.test(link.pathname) || link.hash)
      return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
