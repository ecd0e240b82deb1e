// Asks the registry which faults are known of the packages that are installed: node .ci/audit.mjs. It fails for one that is bundled, and names the
// others, which only tests and the build use. Without a registry that answers it says so, and fails nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const bundled = new Set([...readFileSync('THIRD-PARTY-NOTICES', 'utf8').matchAll(/^(\S+) \d\S* \([\w.-]+\)$/gm)].map(([, name]) => name));
if (!bundled.has('undici')) throw new Error('THIRD-PARTY-NOTICES does not say what is bundled: run npm run build');

const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
  timeout: 60_000,
});
const report = stdout?.trim().startsWith('{') ? JSON.parse(stdout) : {};
if (report.vulnerabilities) {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity, range } of found)
    console.log(`${bundled.has(name) ? 'BUNDLED' : 'not bundled'}: ${name} ${range}, ${severity}`);
  const count = found.filter(({ name }) => bundled.has(name)).length;
  console.log(`npm audit: ${count} known faults in the ${bundled.size} packages that are bundled, ${found.length - count} in others`);
  process.exitCode = count ? 1 : 0;
} else console.log(`npm audit: not asked, for the registry does not answer it: ${report.message ?? stderr?.trim().split('\n').at(-1)}`);
