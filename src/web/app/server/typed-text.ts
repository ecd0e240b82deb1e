import { useEffect, useState } from 'preact/hooks';
import { pageTextPath, type TypedText } from '../../../model/web-page.ts';
import { fetchJson, toQueryString } from './api.ts';

const debounceMs = 100;

/** Reads a date or an event in words, by the server's clock. */
export const readText = async (text: string): Promise<TypedText> =>
  (await fetchJson<TypedText>('GET', pageTextPath + toQueryString({ text }), {})).value;

/**
 * Reads what is typed. Returns the last text that was read, for a preview while the next one is typed, and a function that completes the current one.
 * The text is read again when `at` changes.
 */
export function useTypedText(
  text: string,
  at?: string,
): [read: (TypedText & { text: string }) | undefined, complete: () => Promise<TypedText>] {
  const [read, setRead] = useState<TypedText & { text: string }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again at another time.
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        readText(text).then(
          (value) => isCurrent && setRead({ ...value, text }),
          () => {},
        ),
      debounceMs,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, at]);
  return [read, async () => (read?.text === text ? read : readText(text))];
}
