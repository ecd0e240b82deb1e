/** Keys and their descriptions. */
export const helpRows: readonly (readonly [string, string])[] = [
  ['y m w d', 'Show the year, the month, the week or the day'],
  ['v  l', 'Show the day by venue, or the list'],
  ['arrows', 'Move between days or events'],
  ['PgUp PgDn', 'Move by a month, or a page of the list'],
  ['j  k', 'Next, previous year, month, week or day'],
  ['<  >', 'Previous month, next month'],
  ['t', 'Go to today'],
  ['Enter', 'Open the day or the event'],
  ['Esc', 'Go back'],
  ['/', 'Search; Enter keeps the results, Esc clears the search'],
  ['f', 'Filter by category, tag, venue or organizer'],
  ['Mouse', 'Click a day or an event; the wheel moves like the arrows'],
  ['n', 'Create an event'],
  ['e', 'Edit the event'],
  ['x', 'Move the event to the trash'],
  ['r', 'Reload, or retry after an error'],
  ['?', 'Show this help'],
  ['q  Ctrl-C', 'Quit'],
  ['', ''],
  ['In a form', 'Tab or arrows: next field. Ctrl-S: save. Esc: cancel'],
  ['', 'Dates can be relative: friday 8pm, 2027-03-01 19:00, +2 hours'],
];

export const helpLines = helpRows.length;
/** Returns the number of help lines that fit on a screen. */
export const helpHeight = (rows: number): number => Math.max(1, rows - 3);
