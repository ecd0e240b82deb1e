/** Whether the site or its copy answers first. */
export const upstreamModes = ['live', 'prefer-local', 'offline'] as const;
export type UpstreamMode = (typeof upstreamModes)[number];

/** What happens to writes. */
export const upstreamWrites = ['refuse', 'local'] as const;
export type UpstreamWrites = (typeof upstreamWrites)[number];
