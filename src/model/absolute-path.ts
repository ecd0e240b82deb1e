import { isControl } from './operations/control.ts';

/** Path of the iCalendar feed. */
export const feedPath = '/calendar.ics';

/** Path of WordPress' own routes below the base path. */
export const wordpressPath = '/wp/v2';

/** Paths whose parameter `rest_route` contains the route, as on a site without rewriting. */
export const frontPaths: readonly string[] = ['/', '/index.php'];

/** Returns whether a path is absolute: it starts with `root`, or belongs to the feed or the control API. */
export const isAbsolute = (path: string, root: string): boolean =>
  path === root || path.startsWith(`${root}/`) || path === feedPath || isControl(path);
