/** The formats of exports that imports read. */
export const dataFormats = ['json', 'ndjson', 'csv', 'ics'] as const;
export type DataFormat = (typeof dataFormats)[number];

/** The formats of exports. `sql` contains everything, for SQLite. */
export const exportFormats = [...dataFormats, 'sql'] as const;
export type ExportFormat = (typeof exportFormats)[number];
