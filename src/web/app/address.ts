import { useEffect, useState } from 'preact/hooks';
import { context } from './context.ts';
import { pathsIn } from './record.ts';
import { withoutPrefix } from './server/world.ts';

const listeners = new Set<() => void>();
/** The address of the view, without the prefix of a world. */
export const currentAddress = () => withoutPrefix(location.pathname) + location.search;

let isRestored = false;
addEventListener('popstate', () => {
  isRestored = true;
});
/** True if the current view was reached with the browser's Back or Forward button. */
export const isHistoryNavigation = (): boolean => isRestored;

const calendarKey = 'calendar address';
const listKey = 'list address';
const originKey = 'form origin';

/** The address of the last calendar view in this tab, with its day and filters. */
export const returnAddress = (fallback = '/'): string => sessionStorage.getItem(calendarKey) ?? fallback;

/** The address of the last calendar view or table in this tab, from which a record was opened. */
export const listAddress = (fallback?: string): string => sessionStorage.getItem(listKey) ?? returnAddress(fallback);

/** Stores the address of a table, for the links of records that return to it. */
export const rememberTableAddress = (address: string): void => sessionStorage.setItem(listKey, address);

/** Stores the address of the calendar view, for the links that return to it. */
export function rememberCalendarAddress(address: string): void {
  sessionStorage.setItem(calendarKey, address);
  sessionStorage.setItem(listKey, address);
}

const isForm = ({ searchParams }: URL) => searchParams.has('edit') || searchParams.has('new');

/** The address from which the current form was opened. */
export const formOrigin = (): string | undefined => sessionStorage.getItem(originKey) ?? undefined;

/** True if two addresses differ only in the event that is shown over the calendar. */
function differsOnlyInEvent(one: URL, other: URL): boolean {
  const without = ({ pathname, searchParams }: URL) => {
    const rest = new URLSearchParams(searchParams);
    rest.delete('event');
    return `${pathname}?${rest}`;
  };
  return one.href !== other.href && without(one) === without(other);
}

/** Marks a history entry that shows an event over the previous entry. */
const overlay = 'overlay';

/** Navigates to another address of the page, like a click on a link. */
export function navigate(target: string, { replace = false } = {}): void {
  const address = withoutPrefix(target);
  if (address === currentAddress()) return;
  isRestored = false;
  const from = new URL(currentAddress(), location.href);
  const to = new URL(address, location.href);
  if (isForm(to) && !isForm(from)) sessionStorage.setItem(originKey, currentAddress());
  if (replace) history.replaceState(history.state, '', address);
  else history.pushState(differsOnlyInEvent(from, to) ? overlay : null, '', address);
  if (to.pathname !== from.pathname) scrollTo(0, 0);
  for (const listener of listeners) listener();
}

/** Closes what is shown over the view at `address`: goes back if it was opened from there. */
export function closeOverlay(address: string): void {
  if (history.state === overlay) history.back();
  else navigate(address, { replace: true });
}

/** The current address; re-renders the component when it changes. */
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

/** The address of the traffic with a filter, and with the form for a new request if `new` is defined: empty, or a method and a path to fill in. */
export function trafficAddress({ filter, new: request }: { filter?: string; new?: string }): string {
  const parameters = new URLSearchParams({ ...(filter && { filter }), ...(request !== undefined && { new: request }) });
  return `/_calendar/traffic${parameters.size ? `?${parameters}` : ''}`;
}

/** Paths that the page renders. The browser opens all others, such as the API and the feed. */
const pagePaths = new RegExp(`^/$|^/${pathsIn(context.slugs, true)}|^/_calendar(/|/(data|traffic|api)/?)?$`);

/** Handles clicks on links to the page without reloading it. */
export function handleLinks(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (
      link.target ||
      link.hasAttribute('download') ||
      link.origin !== location.origin ||
      !pagePaths.test(withoutPrefix(link.pathname)) ||
      link.hash
    )
      return;
    event.preventDefault();
    navigate(link.pathname + link.search);
  });
}
