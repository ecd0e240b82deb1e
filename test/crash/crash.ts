/* npm run test:crash -- [--rounds N] [--http | --store] [--seed N] [--folder F]: kills a server or a writer N times and says whether anything was lost. */
import { parseArgs } from 'node:util';
import { crash } from './rounds.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values } = parseArgs({ options: { rounds: text, http: flag, store: flag, seed: text, folder: text } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
console.log(`seed ${seed}`);
const writer = values.http ? 'server' : values.store ? 'store' : 'both';
const { wrong, ...counts } = await crash(Number(values.rounds ?? 25), seed, writer, values.folder);
console.log(JSON.stringify(counts));
for (const text of wrong) console.error(text);
console.log(wrong.length === 0 ? 'nothing lost' : `${wrong.length} findings`);
process.exitCode = wrong.length === 0 ? 0 : 1;
