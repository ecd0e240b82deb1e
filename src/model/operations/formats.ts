/** The formats of exports and imports. */
export const dataFormats = ['json', 'ndjson', 'csv', 'ics'] as const;
export type DataFormat = (typeof dataFormats)[number];
