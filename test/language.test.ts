import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Phrases and patterns that nobody in this field writes, by what to write instead. */
const banned: [RegExp, string][] = [
  [/\bunless told\b/i, 'give the default'],
  [/\bfound out\b/i, 'detected'],
  [/\b(who|whoever) asks\b|\bwhoever\b|\bwhatever is\b/i, 'name the caller'],
  [/\b(what|that) there is\b|\bwhat (is|was) there\b/i, 'name the thing'],
  [/\bthere is nothing at\b/i, 'not found'],
  [/\bnone of ours\b|\bsomebody else's\b|(?<!invalid:)\b[Nn]obody\b/, 'name the owner'],
  [/\bof its own\b|\bby itself\b|\bby themselves\b/i, 'automatically, separately'],
  [/\banew\b|\bbefall\b|\bbefell\b|\bthereby\b|\btherein\b|\blikewise\b|\bhardly\b|\ba great many\b/i, 'plain words'],
  [/\b(as|so) many\b(?! as\b)|\bat the most\b/i, 'a number, at most'],
  [/\bsay so\b|\b(is|are) told\b|\bwas asked\b|\bis asked for\b/i, 'report, receive, request'],
  [/\bgoes wrong\b|\bgo wrong\b|\bwent wrong\b/i, 'fails'],
  [/\btakes? (it |them )?away\b|\btaken away\b|\btake in\b|\btakes in\b/i, 'delete, import'],
  [/\b(made|make|makes) up\b/i, 'generate, injected'],
  [/\bhands? back\b|\bbrought back\b|\bbrings? (\w+ )?back\b|\bkept image\b/i, 'return, restore'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b|less\b|need\b|other\b)/i, 'is not a'],
  [/\bthat (can|cannot) be read\b/i, 'valid, invalid'],
  [/\bthe present moment\b/i, 'the current time'],
  [/\bstands? (in|before|beside) (?!for\b)/i, 'is in, precedes'],
  [/\bmend(s|ed)?\b/, 'fix'],
  [/\b(colour|behaviour|licence|neighbour|favour|honour)s?\b/i, 'American spelling'],
];
/** Docstrings state what a function does, subject first. */
const docstring = /\/\*\*\s*(?:\*\s*)?(Whether|Who|What|How|Is|Has|Told|Does)\b/;
/** Limits are called max… and min…, and have a unit. */
const limitName = /\b(most|least)[A-Z]\w*/;
/** Locals are named by what they contain, not by what was done to it. */
const participle =
  /^(?!\s*\*).*\b(?:const|let) (asked|chosen|found|given|held|kept|known|made|meant|named|sent|shown|taken|told|wanted|written)\b/;

/** Folders of packages, of Git, and of what programs write. */
const ignored = /^(node_modules|\.git|\.cache|\.vitest-attachments|coverage|dist|out|standalone)$/;

/** Yields the files below a folder, as paths with slashes. */
function* filesIn(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder || '.', { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !ignored.test(entry.name)) yield* filesIn(path);
  }
}

const files = [...filesIn('')].filter(
  (file) =>
    /\.(ts|tsx|mjs|md|css|yml)$/.test(file) &&
    !/^(test\/reference|test\/support\/(ics|files))\//.test(file) &&
    ![
      'test/language.test.ts',
      'src/model/generate/vocabulary.ts',
      'src/model/resources/record-types.ts',
      'src/model/operation-types.ts',
    ].includes(file),
);

describe('plain English', () => {
  it.each(files)('%s', (file) => {
    const found = readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const rules = banned.filter(([pattern]) => pattern.test(line)).map(([pattern, advice]) => `${pattern.exec(line)![0]} (${advice})`);
        if (/\.tsx?$/.test(file) && docstring.test(line)) rules.push('docstring that starts with a question word');
        if (/\.tsx?$/.test(file) && limitName.test(line)) rules.push(`${limitName.exec(line)![0]} (max…, min…)`);
        if (/^(src|bin)\/.*\.tsx?$/.test(file) && participle.test(line)) rules.push(`${participle.exec(line)![1]} (a noun)`);
        return rules.map((rule) => `${file}:${index + 1}: ${rule}`);
      });
    if (found.length) expect.fail(found.join('\n'));
  });
});
