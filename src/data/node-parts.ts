import type { ConnectTo } from './remote/site.ts';
import type { NodeParts } from './serving/options.ts';

/** The parts of a calendar that need Node: files, sockets, and other sites, which `connectTo` opens. */
export const nodeParts = (connectTo: ConnectTo): NodeParts => ({
  sync: async () => (await import('./operations/sync.ts')).syncOver(connectTo),
  fileSource: async (name, path) => (await import('./ingest/opened-source.ts')).fileSource(name, path),
  listenerOf: async (options) => (await import('./serving/port.ts')).listenerOf(options),
  imagesIn: async (folder) => (await import('./serving/media-folder.ts')).imagesIn(folder),
  follow: async (...given) => new (await import('./serving/followed-site.ts')).FollowedSite(connectTo, ...given),
});
