/** True for the command line of this program. */
export const isCommand = (client: string | null): boolean => /^local-calendar\//.test(client ?? '');

/** Parts of a User-Agent by which browsers are known, most specific first: Opera and Edge name Chrome, and all of them name Safari. */
const browsers: [part: RegExp, name: string][] = [
  [/\bjsdom\//, 'jsdom'],
  [/\bOPR\//, 'Opera'],
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** The name of a client by its User-Agent; `calendar` for the command line of this program. */
export function clientName(client: string | null): string {
  if (isCommand(client)) return 'calendar';
  return browsers.find(([part]) => part.test(client ?? ''))?.[1] ?? /^[^\s/(]*/.exec(client ?? '')![0];
}
