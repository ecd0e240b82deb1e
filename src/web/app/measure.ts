import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** A value that is measured on an element before the first paint, and again when the element is resized. */
export function useMeasured<T>(
  element: RefObject<Element | null>,
  measure: (element: Element) => T,
  initial: T,
  inputs: readonly unknown[],
): T {
  const [value, setValue] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what the measurement depends on.
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const update = () => setValue(measure(current));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, ...inputs]);
  return value;
}

/** The value of a length that the style sheet defines as a custom property, in px. */
export const lengthOf = (element: Element, name: string): number => Number.parseFloat(getComputedStyle(element).getPropertyValue(name));

/** True if a media query matches; re-renders the component when that changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setMatches(list.matches);
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}

export const usePrinting = (): boolean => useMedia('print');
