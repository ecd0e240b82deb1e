/** Makes this process one of Node, for scripts, benchmarks and tests, which import it; programs do it in their entries. */
import { runOnNode } from './node.ts';

runOnNode();
