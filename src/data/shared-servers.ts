import project from '../../package.json' with { type: 'json' };
import { serverOptionRows } from '../model/server-options.ts';
import { plainNamespace } from './serving/options.ts';

/** Name of the variable with the servers that the files of a run share, which processes of the run inherit. */
export const sharedServers = 'CALENDAR_TEST_SERVER';

/** A server that the files of a run share. Files of another version, or whose calendar has another shape, start their own. */
interface SharedServer {
  url: string;
  version: string;
  shape: string;
  /** True if the run watches its files, so that the server is there when a person reads a report. */
  isWatched?: boolean;
}

const shapeRows = serverOptionRows.filter(([, { isShape }]) => isShape);

/** The options that the routes, headers and records of the API depend on, as one text. A default is the same as no value. */
export function shapeOf(options: object): string {
  const values = options as Record<string, unknown>;
  const shape = shapeRows.flatMap(([name, row]) => {
    const option = values[name];
    // Paths may have slashes at their ends.
    const value = typeof option === 'string' ? plainNamespace(option) : option;
    return value === undefined || value === row.default ? [] : [[name, value]];
  });
  return JSON.stringify(shape);
}

/** The servers of this version in a value of the variable; none if another program wrote it. */
export function serversIn(value: string | undefined): SharedServer[] {
  try {
    const all = JSON.parse(value ?? '[]');
    return Array.isArray(all) ? all.filter((each) => each?.version === project.version) : [];
  } catch {
    return [];
  }
}

/** The server of the run with the calendar at an address; undefined for another one. */
export const sharedServerAt = (url: string): SharedServer | undefined =>
  serversIn(process.env[sharedServers]).find((server) => URL.canParse(server.url) && new URL(server.url).origin === new URL(url).origin);

/** The value of the variable with another server, whose API is at `url` and whose options are `options`. */
export const withServer = (value: string | undefined, url: string, options: object, isWatched = false): string =>
  JSON.stringify([...serversIn(value), { url, version: project.version, shape: shapeOf(options), isWatched }]);
