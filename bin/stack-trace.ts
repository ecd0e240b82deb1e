import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';

/** The source maps of the bundle's parts, by part name. */
export type SourceMaps = Record<string, SourceMapPayload>;

/**
 * Returns a stack trace with source positions instead of positions in the bundle's parts. Reads the source maps from a file, so it is for
 * traces that are printed. Without that file, the trace is returned as it is.
 */
export function mapStack(stack: string, mapFile: string): string {
  const maps = readMaps(mapFile);
  const sources = new Map<string, SourceMap>();
  return stack.replace(/^ {4}at (?:.* \()?(\.\/[\w.-]+\.js):(\d+):(\d+)\)?$/gm, (frame, part: string, line: string, column: string) => {
    const payload = maps[part];
    if (!payload) return frame;
    const source = sources.get(part) ?? new SourceMap(payload);
    sources.set(part, source);
    const entry = source.findEntry(Number(line) - 1, Number(column) - 1);
    return 'originalSource' in entry ? `    at ${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : frame;
  });
}

function readMaps(file: string): SourceMaps {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
