import * as z from 'zod';
import { type Fault, invalidParams } from '../error.ts';
import { formProblems } from '../formats/issues.ts';
import type { Operation } from './operation.ts';

/** The input of an operation with its values converted. Throws `rest_invalid_param` with everything that is wrong; unknown members are wrong, too. */
export function checkInput<Input>({ input }: Pick<Operation<string, Input>, 'input'>, value: unknown): Input {
  const form = input?.(z) ?? z.strictObject({});
  const result = form.safeParse(value);
  if (result.success) return result.data as Input;
  const problems = formProblems(form, value, (path) => (path.length === 0 && form instanceof z.ZodObject ? Object.keys(form.shape) : []));
  throw invalidParams(Object.fromEntries(problems.map(({ at, reason }): [string, Fault] => [at, { reason }])));
}
