/** The formats of exports that imports read. */
export const dataFormats = ['json', 'ndjson', 'csv', 'ics'] as const;
/** A format of exports that imports read. */
export type DataFormat = (typeof dataFormats)[number];

/** The formats of exports. `sql` contains everything, for SQLite. */
export const exportFormats = [...dataFormats, 'sql'] as const;
/** A format of exports. */
export type ExportFormat = (typeof exportFormats)[number];

/** The built-in seeds, with descriptions. */
export const seedNames = {
  minimal: 'One record of each kind',
  demo: 'A city’s events around today',
  conference: 'A conference with three days, five rooms and sixty talks',
  shapes: 'Two events of each shape, with the same totals at every time',
  'edge-cases': 'Time zones, clock changes, unusual texts, statuses and passwords',
};
export type SeedName = keyof typeof seedNames;

export const isSeed = (name: string): name is SeedName => Object.hasOwn(seedNames, name);
