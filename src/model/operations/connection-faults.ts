/**
 * Faults of the connection. `reset`: reset it (RST). `empty`: close it. `garbage`: send bytes that are not HTTP. `malformed`: send the head of a response, then an invalid chunk.
 * `truncate`: send half of the response, then close it. `hang`: send nothing. All but `truncate` come before the request is handled, unless `at` is `after`.
 */
export const connectionFaults = ['reset', 'empty', 'malformed', 'garbage', 'truncate', 'hang'] as const;
/** A fault of the connection, like `reset`. */
export type ConnectionFault = (typeof connectionFaults)[number];

/** When a fault happens: before the request is handled, or after. */
export const faultMoments = ['before', 'after'] as const;
