import type { Definitions } from '../definition.ts';

declare const DEFINITIONS: Definitions;

/** The fields of all resources, embedded by the build. */
export const definitions = DEFINITIONS;
