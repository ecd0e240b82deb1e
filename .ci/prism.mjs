// Puts Prism, a validating proxy, between tests and the server, and /openapi.json to the rules of Spectral: node .ci/prism.mjs, or npm run
// contract:proxy after npm run build. Both are large (more than 200 packages), so they are installed into a folder of their own, not with the rest.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '5.16.0';
const spectralVersion = '6.16.3';
const folder = join(tmpdir(), `calendar-prism-${version}-${spectralVersion}`);
const windows = process.platform === 'win32';
const prism = join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
if (!existsSync(prism)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `@stoplight/prism-cli@${version}`,
    `@stoplight/spectral-cli@${spectralVersion}`,
  ];
  execFileSync('npm', install, { cwd: folder, stdio: 'inherit', shell: windows });
}

/** Starts a program, and answers what a pattern finds in what it says. */
const started = (args, pattern) => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const found = new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk) => {
      said += chunk;
      const match = pattern.exec(said);
      if (match) resolve(match[1]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}:\n${said}`)));
  });
  return { child, found };
};

const server = started(['dist/calendar.js', 'serve', '--memory', '--seed', 'demo', '--port', '0'], /(http:\/\/127\.0\.0\.1:\d+)/);
let failed = false;
let proxy;
try {
  const site = await server.found;
  const document = await (await fetch(`${site}/openapi.json`)).json();
  const namespace = new URL(document.servers[0].url).pathname;
  const rules = join(folder, 'spectral.json');
  writeFileSync(rules, '{ "extends": "spectral:oas" }');
  writeFileSync(join(folder, 'served.json'), JSON.stringify(document));
  const spectral = join(folder, 'node_modules', '@stoplight', 'spectral-cli', 'dist', 'index.js');
  console.log('/openapi.json by the rules of Spectral:');
  const linted = spawnSync(process.execPath, [spectral, 'lint', '--ruleset', rules, join(folder, 'served.json')], { stdio: 'inherit' });
  failed ||= linted.status !== 0;
  // A proxy has one server, so every path is written out.
  document.paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, { servers, ...item }]) => [
      (servers ? new URL(servers[0].url).pathname.replace(/\/$/, '') : namespace) + path,
      item,
    ]),
  );
  document.servers = [{ url: site }];
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  proxy = started(
    [prism, 'proxy', '--errors', '--host', '127.0.0.1', '--port', '0', file, site],
    /listening on (http:\/\/127\.0\.0\.1:\d+)/,
  );
  const report = await new Promise((resolve, reject) => {
    proxy.found.then((url) => {
      const check = spawn(process.execPath, ['dist/calendar.js', 'check', url, '--write', '--format', 'json'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      check.stdout.on('data', (chunk) => {
        text += chunk;
      });
      check.on('exit', () => resolve(JSON.parse(text)));
    }, reject);
  });
  // Prism itself refuses what the document calls wrong, with 422, and methods that it does not have, with 405.
  const refused = report.checks.filter(({ reason = '' }) => /\b(answers|is) (422|405)\b/.test(reason));
  const wrong = report.checks.filter((check) => check.outcome !== 'ok' && !refused.includes(check));
  for (const { name, reason } of wrong) console.error(`${name}: ${reason}`);
  console.log(`calendar check through Prism: ${report.ok} hold, ${refused.length} it refused as it should, ${wrong.length} wrong`);
  failed ||= wrong.length > 0 || report.ok < 100;
} finally {
  proxy?.child.kill();
  server.child.kill();
}

console.log('The contract suite, each exchange judged by Prism:');
try {
  const suite = ['vitest', 'run', '--project', 'quick', 'test/contract'];
  execFileSync('npx', suite, { stdio: 'inherit', shell: windows, env: { ...process.env, CALENDAR_PRISM: folder } });
} catch {
  failed = true;
}
process.exitCode = failed ? 1 : 0;
