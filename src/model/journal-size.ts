/** Number of requests that a journal keeps by default, and at most. */
export const defaultJournalSize = 5000;
export const maxJournalSize = 1_000_000;
