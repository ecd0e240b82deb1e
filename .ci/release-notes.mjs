// Prints the section of CHANGELOG.md for a release: node .ci/release-notes.mjs v1.0.0. It fails if the tag is not the version of the package, or has no section.
import { readFileSync } from 'node:fs';

const tag = process.argv[2] ?? '';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not v${version}, the version in package.json`);
const [, section] = readFileSync('CHANGELOG.md', 'utf8').split(new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\]?(?: - .*)?$`, 'm'));
if (!section?.trim()) throw new Error(`CHANGELOG.md has no section "## ${version}"`);
console.log(section.split(/^## /m)[0].trim());
