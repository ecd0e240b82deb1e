/**
 * Faults of the connection. `reset`: reset it (RST). `empty`: close it. `garbage`: send bytes that are not HTTP. `malformed`: send the head of a response, then an invalid chunk.
 * `truncate`: send half of the response, then close it. `hang`: send nothing. All but `truncate` come before the request is handled, unless `at` is `after`.
 */
export const connectionFaults = ['reset', 'empty', 'malformed', 'garbage', 'truncate', 'hang'] as const;
/** A fault of the connection, like `reset`. */
export type ConnectionFault = (typeof connectionFaults)[number];

/** Faults that live sites show to their clients; `siteFaults` has their effects. */
export const siteFaultNames = [
  'site:challenge',
  'site:notice',
  'site:rest-off',
  'site:maintenance',
  'site:html-feed',
  'site:same-page',
  'site:resets-omitted',
  'site:redirect',
  'site:redirect-302',
  'site:redirect-303',
  'site:redirect-307',
  'site:redirect-308',
] as const;
/** A fault that live sites show to their clients, like `site:challenge`. */
export type SiteFault = (typeof siteFaultNames)[number];

/** When a fault happens: before the request is handled, or after. */
export const faultMoments = ['before', 'after'] as const;
