/** Makes this process one of Node, for scripts, benchmarks and tests, which import it; programs do it in their entries. */
import { runOn } from '../../src/machine.ts';
import { node } from './node.ts';

runOn(node);
