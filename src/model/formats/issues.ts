import type { core, ZodType } from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import type { Problem } from '../error.ts';

/** A structural problem of a document, with the path to it. */
export interface FormProblem extends Problem {
  path: readonly PropertyKey[];
}

/** The valid keys of the object at a path. */
type KnownKeys = (path: readonly PropertyKey[]) => readonly string[];

/** The structural problems of a document, with positions such as `events.opening.titel` or `users[0].role`. */
export function formProblems(form: ZodType, document: unknown, knownKeys: KnownKeys): FormProblem[] {
  const result = form.safeParse(document, { reportInput: true });
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOfIssue(issue, [], knownKeys));
}

function problemsOfIssue(issue: core.$ZodIssue, above: readonly PropertyKey[], knownKeys: KnownKeys): FormProblem[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], at: pathText([...path, key]), reason: unknownKey(key, knownKeys(path)) }));
  if (issue.code === 'invalid_union' && !isMissing(issue)) {
    // Reports the branch with the right outermost type and the fewest errors.
    const [closest, next] = issue.errors
      .filter((branch) => !branch.some((each) => !each.path.length && isOther(each, issue)))
      .sort((a, b) => errorsIn(a) - errorsIn(b));
    if (closest && (!next || errorsIn(closest) !== errorsIn(next) || isPlain(issue)))
      return closest.flatMap((each) => problemsOfIssue(each, path, knownKeys));
    if (isPlain(issue)) {
      const types = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [typeText(first.expected)] : []));
      return [{ path, at: pathText(path), reason: `must be ${[...new Set(types)].join(' or ')}` }];
    }
  }
  return [{ path, at: pathText(path), reason: reasonOf(issue) }];
}

/** The number of errors; each unknown key is one. */
const errorsIn = (branch: readonly core.$ZodIssue[]): number =>
  branch.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

/** True if a branch doesn't apply: the type differs, or the value if the union has its own message. */
const isOther = ({ code }: core.$ZodIssue, whole: core.$ZodIssue): boolean =>
  code === 'invalid_type' || (code === 'invalid_value' && !isPlain(whole));

const isPlain = ({ message }: core.$ZodIssue): boolean => message === 'Invalid input';

const isMissing = (issue: core.$ZodIssue): boolean => 'input' in issue && issue.input === undefined;

function unknownKey(key: string, names: readonly string[]): string {
  const hint = didYouMean(key, names);
  return `unknown field${hint ? `. ${hint}` : names.length ? `. Fields: ${names.join(', ')}` : ''}`;
}

function reasonOf(issue: core.$ZodIssue): string {
  if (isMissing(issue)) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeText(issue.expected)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return isSized(issue.origin) && issue.minimum === 1
        ? 'must not be empty'
        : `must ${isSized(issue.origin) ? 'have' : 'be'} at least ${issue.minimum}`;
    case 'too_big':
      return `must ${isSized(issue.origin) ? 'have' : 'be'} at most ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_format':
      return formatTexts[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

const isSized = (origin: string): boolean => origin === 'string' || origin === 'array';

const formatTexts: Record<string, string> = { url: 'must be a URL', base64: 'must be base64' };

const typeTexts: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

const typeText = (type: string): string => typeTexts[type] ?? type;

/** Formats a path: `users[0].role`; `$` for the document itself. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${String(step)}`)).join('') || '$';
