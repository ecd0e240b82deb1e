import { nodeParts } from '../../src/data/node-parts.ts';

/** The parts of Node of a calendar that knows no other site. */
export const unconnected = nodeParts(() => Promise.reject(new Error('not connected')));
