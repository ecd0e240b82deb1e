/** Output formats of records. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const;
export type Format = (typeof formats)[number];
