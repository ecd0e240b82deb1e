/* npm run test:crash -- [--rounds N] [--seed N] [--folder F]: kills a writer N times and says whether anything was lost. */
import { parseArgs } from 'node:util';
import { crash } from './rounds.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' }, folder: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`seed ${seed}`);
const { wrong, ...counts } = await crash(Number(values.rounds ?? 25), seed, values.folder);
console.log(JSON.stringify(counts));
for (const text of wrong) console.error(text);
console.log(wrong.length === 0 ? 'nothing lost' : `${wrong.length} findings`);
process.exitCode = wrong.length === 0 ? 0 : 1;
