/** One phrase about each seed that comes with the program. */
export const seedNames = {
  minimal: 'one of everything',
  demo: 'a city’s calendar around today',
  conference: 'three days, five rooms, sixty talks',
  'edge-cases': 'zones, folds, long and odd texts, statuses, passwords',
};
export type SeedName = keyof typeof seedNames;
