/** The keys and what they do. */
export const helpRows: readonly (readonly [string, string])[] = [
  ['m  d  l', 'month, day, list'],
  ['arrows', 'from day to day, from event to event'],
  ['PgUp PgDn', 'months, or pages of a list'],
  ['<  >', 'the month before, the month after'],
  ['t', 'today'],
  ['Enter', 'open the day, the event'],
  ['Esc', 'back'],
  ['/', 'search as you type; Enter keeps it, Esc ends it'],
  ['n', 'new event'],
  ['e', 'change the event'],
  ['x', 'delete the event'],
  ['r', 'load again, or try again after a failure'],
  ['?', 'this help'],
  ['q  Ctrl-C', 'quit'],
  ['', ''],
  ['In a form', 'Tab or arrows go from field to field, Ctrl-S saves, Esc leaves'],
  ['', 'dates as you say them: friday 8pm, 2027-03-01 19:00, +2 hours'],
];

/** How many lines the help has. */
export const helpLines = helpRows.length;
/** How many of them a screen of so many rows shows. */
export const helpHeight = (rows: number): number => Math.max(1, rows - 3);
