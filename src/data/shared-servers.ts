import project from '../../package.json' with { type: 'json' };
import { serverOptionRows } from '../model/server-options.ts';

/** Name of the variable with the servers that the files of a run share, which processes of the run inherit. */
export const sharedServers = 'CALENDAR_TEST_SERVER';

/** A server that the files of a run share. Files of another version, or whose calendar has another shape, start their own. */
interface SharedServer {
  url: string;
  version: string;
  shape: string;
}

const shapeNames = serverOptionRows.filter(([, { isShape }]) => isShape).map(([name]) => name);

/** The options that the routes, headers and records of the API depend on, as one text. */
export const shapeOf = (options: object): string => {
  const values = options as Record<string, unknown>;
  return JSON.stringify(shapeNames.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));
};

/** The servers of this version in a value of the variable; none if another program wrote it. */
export function serversIn(value: string | undefined): SharedServer[] {
  try {
    const all = JSON.parse(value ?? '[]');
    return Array.isArray(all) ? all.filter((each) => each?.version === project.version) : [];
  } catch {
    return [];
  }
}

/** The value of the variable with another server, whose API is at `url` and whose options are `options`. */
export const withServer = (value: string | undefined, url: string, options: object): string =>
  JSON.stringify([...serversIn(value), { url, version: project.version, shape: shapeOf(options) }]);
