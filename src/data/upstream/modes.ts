/** Modes of a server beside a live site: responses come from the site first, from the copy where it is recent, or only from the copy. */
export const upstreamModes = ['live', 'prefer-local', 'offline'] as const;
export type UpstreamMode = (typeof upstreamModes)[number];

/** Ways to handle writes: reject them, change only the copy, or forward them to the site. */
export const upstreamWrites = ['refuse', 'local', 'through'] as const;
export type UpstreamWrites = (typeof upstreamWrites)[number];
