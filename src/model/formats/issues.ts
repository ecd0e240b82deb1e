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
  if (issue.code === 'invalid_union' && !isMissing(issue)) {
    // The branch that was meant is the one whose outermost type fits, of several the one that comes nearest.
    const [meant, next] = issue.errors
      .filter((branch) => !branch.some((each) => !each.path.length && isOther(each, issue)))
      .sort((a, b) => a.length - b.length);
    if (meant && (meant.length !== next?.length || isPlain(issue))) return meant.flatMap((each) => problemsOfIssue(each, path, knownKeys));
    if (isPlain(issue)) {
      const types = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [typeText(first.expected)] : []));
      return [{ path, at: pathText(path), reason: `must be ${types.join(' or ')}` }];
    }
  }
  return [{ path, at: pathText(path), reason: reasonOf(issue) }];
}

/** Whether an issue of a branch says that another was meant: it is of another type, or, where the whole says what would be right, another value. */
const isOther = ({ code }: core.$ZodIssue, whole: core.$ZodIssue): boolean =>
  code === 'invalid_type' || (code === 'invalid_value' && !isPlain(whole));

/** Whether a schema says nothing of its own about what would be right. */
const isPlain = ({ message }: core.$ZodIssue): boolean => message === 'Invalid input';

const isMissing = (issue: core.$ZodIssue): boolean => 'input' in issue && issue.input === undefined;

/** What is wrong with a key that is not among the known ones. */
function unknownKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  return `is not known${hint ? `. ${hint}` : known.length ? `; known are ${known.join(', ')}` : ' here'}`;
}

function reasonOf(issue: core.$ZodIssue): string {
  if (isMissing(issue)) return 'is missing';
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

/** Whether it is a length that is too small or too big. */
const isSized = (origin: string): boolean => origin === 'string' || origin === 'array';

const formatTexts: Record<string, string> = { url: 'must be a web address', base64: 'must be base64' };

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

/** A path as people write it: `users[0].role`; `$` for the document itself. */
const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at ? '.' : ''}${String(step)}`)).join('') || '$';
