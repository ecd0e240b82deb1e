/** The built-in seeds, with descriptions. */
export const seedNames = {
  minimal: 'One record of each kind',
  demo: 'A city’s events around today',
  conference: 'A conference with three days, five rooms and sixty talks',
  'edge-cases': 'Time zones, clock changes, unusual texts, statuses and passwords',
};
export type SeedName = keyof typeof seedNames;
