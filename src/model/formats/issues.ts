import type { core, ZodType } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { Problem } from '../error.ts';

/** A problem of a document's form, with the keys and positions that lead to it. */
export interface FormProblem extends Problem {
  path: readonly PropertyKey[];
}

/** The keys that an object of a document may have, by the path to it. */
type KnownKeys = (path: readonly PropertyKey[]) => readonly string[];

/** What is wrong with the form of a document: where (`events.opening.titel`, `users[0].role`), and what would be right. Empty when it has the form. */
export function formProblems(form: ZodType, document: unknown, knownKeys: KnownKeys): FormProblem[] {
  const result = form.safeParse(document, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOfIssue(issue, [], knownKeys));
}

function problemsOfIssue(issue: core.$ZodIssue, above: readonly PropertyKey[], knownKeys: KnownKeys): FormProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], at: pathText([...path, key]), reason: unknownKey(key, knownKeys(path)) }));
  if (issue.code === 'invalid_union') {
    // The branch that was meant is the one whose outermost type fits.
    const meant = issue.errors.find((branch) => !branch.some((each) => each.code === 'invalid_type' && !each.path.length));
    if (meant) return meant.flatMap((each) => problemsOfIssue(each, path, knownKeys));
    const types = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [typeText(first.expected)] : []));
    return [{ path, at: pathText(path), reason: `must be ${types.join(' or ')}` }];
  }
  return [{ path, at: pathText(path), reason: reasonOf(issue) }];
}

/** What is wrong with a key that is not among the known ones. */
export function unknownKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  return `is not known${hint ? `. ${hint}` : `; known are ${known.join(', ')}`}`;
}

function reasonOf(issue: core.$ZodIssue): string {
  if ('input' in issue && issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeText(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be a web address' : issue.message;
    default:
      return issue.message;
  }
}

const typeTexts: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const typeText = (type: string): string => typeTexts[type] ?? type;

/** A path as people write it: `users[0].role`; `$` for the document itself. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${String(step)}`)).join('') || '$';
