import { isControl } from './operations/control.ts';

/** Where events stand as iCalendar, beside the namespace. */
export const feedPath = '/calendar.ics';

/** Whether a path that somebody names is whole as it stands, and not below `root`, the path that routes start with: it starts with that, or stands beside it. */
export const isAbsolute = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`) || path === feedPath || isControl(path);
