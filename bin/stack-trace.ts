import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** The source maps of the bundle's parts, by the names of the parts. */
export type SourceMaps = Record<string, SourceMapPayload>;

/**
 * The stack of an error as node writes it, but with the places of the sources in place of those in the parts of the bundle. They are looked
 * up in the file of source maps that stands beside the bundle; without it the places in the parts remain.
 */
export function stackTrace(mapFile: string, error: Error, frames: readonly NodeJS.CallSite[]): string {
  const maps = mapsIn(mapFile);
  return [String(error), ...frames.map((frame) => `    at ${sourceOf(frame, maps) ?? frame}`)].join('\n');
}

function mapsIn(file: string): SourceMaps {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** The file, line and column of the source that a frame was made from; undefined when no map knows it. */
function sourceOf(frame: NodeJS.CallSite, maps: SourceMaps): string | undefined {
  const map = maps[frame.getFileName() ?? ''];
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  if (!map || line === null || column === null) return undefined;
  const entry = new SourceMap(map).findEntry(line - 1, column - 1);
  return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : undefined;
}
