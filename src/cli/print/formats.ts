/** The formats in which records are printed. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const;
export type Format = (typeof formats)[number];
