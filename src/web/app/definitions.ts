import type { Definitions } from '../definition.ts';

declare const DEFINITIONS: Definitions;

/** The resources and their fields, compiled into the page. */
export const definitions = DEFINITIONS;
