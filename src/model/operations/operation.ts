import type { ZodType } from 'zod';
import type { Zod } from '../fields/field.ts';
import type { OperationTypes } from '../operation-types.ts';

/** A schema that is made when a value is first validated: zod is loaded only then. */
export type ValueSchema<Value> = (z: Zod) => ZodType<Value>;

/** A function that makes a schema once, whose values have the type `Value`. */
export function schema<Value>(make: ValueSchema<Value>): ValueSchema<Value> {
  let cached: ZodType<Value> | undefined;
  return (z) => {
    cached ??= make(z);
    return cached;
  };
}

/**
 * Who may call an operation over HTTP, besides the owner of the server. `everyone`: every caller of the control API. `full`: the operation shows or changes everything; a server of a file
 * allows it with --control only. `users`: that for a calendar in memory, and for a file no other caller, since the file keeps them. `trusted`: callers with the control token, because the server sends requests to other servers. `owner`: no other caller, because the operation reaches local files.
 */
export type OperationAccess = 'everyone' | 'full' | 'users' | 'trusted' | 'owner';

/** A schema with the name and the text of its type, which `npm run types` writes to operation-types.ts. */
export const namedSchema = <Name extends keyof OperationTypes>(
  typeName: Name,
  typeText: string,
  make: ValueSchema<OperationTypes[Name]>,
): ValueSchema<OperationTypes[Name]> =>
  schema((z) => {
    const value = make(z);
    z.globalRegistry.add(value, { ...value.meta(), typeName, typeText });
    return value;
  });

/** An output that is sent as it is, with the schema of the content by media type. */
export interface FileOutput {
  form: 'text' | 'bytes' | 'stream';
  types: Readonly<Record<string, ValueSchema<unknown>>>;
  /** The media type for an input; the first of `types` by default. */
  typeOf?(input: never): string;
}

/** One operation on a calendar as a whole: routes, client, TypeScript methods, documents and types are derived from it. */
export interface Operation<Id extends string = string, Input = unknown, Output = unknown> {
  /** The name of the operation in `CalendarControl` and, with a prefix, in /openapi.json. */
  id: Id;
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {@link controlPath}; `{name}` or `{id}` is a member of the input. */
  path: string;
  access: OperationAccess;
  /** The access that an input needs, where that depends on it. */
  accessOf?(input: Input): OperationAccess;
  /** Returns what callers without full access get instead of an input. */
  limit?(input: Input): Input;
  /** Returns what callers without full access get of an output. */
  limitOutput?(output: Output): Output;
  /** True if it changes the data or the snapshots of a calendar; --read-only rejects it. */
  changes?: boolean;
  /** True if it is about the server, so that it needs no world where other requests do. Those with GET never need one. */
  ofServer?: boolean;
  /** True if it waits for the operations like it that were called before. */
  serialized?: boolean;
  /** True if its input can contain a whole calendar. */
  takesData?: boolean;
  /** One sentence in the imperative, without a full stop. */
  about: string;
  /** An example of its TypeScript method, which is derived from the record; without one, the method is written by hand, or there is none. */
  example?: string;
  /** The text of its TypeScript method, if that is not `about`. */
  text?: string;
  /** The member of the input that is the first argument of its TypeScript method; the others are the second. */
  arg?: string;
  /** The member of the output that its TypeScript method returns; the whole output by default. */
  unwrap?: string;
  /** Takes no input when absent. */
  input?: ValueSchema<Input>;
  /** The schema of the output, or its form; operation() is given the types of its input and output then. */
  output: ValueSchema<Output> | FileOutput;
  /** Its output over HTTP if its input has a member `format`. `version` is that of this program. */
  formOf?(output: Output, format: string, version: string): unknown;
}

/** Defines an operation; TypeScript infers its types. */
export const operation = <const Id extends string, Input = Record<string, never>, Output = null>(
  record: Operation<Id, Input, Output> & { arg?: keyof Input & string; unwrap?: keyof Output & string },
): Operation<Id, Input, Output> => record;

/** Calls an operation. */
export type OperationCaller<Each> =
  Each extends Operation<string, infer Input, infer Output> ? (input: Input, signal?: AbortSignal) => Promise<Output> : never;

export const pathMemberOf = ({ path }: Pick<Operation, 'path'>): string | undefined => /\{(\w+)\}/.exec(path)?.[1];

/** An output that is sent as it is; undefined if it is sent as JSON. */
export const fileOf = ({ output }: Pick<Operation, 'output'>): FileOutput | undefined =>
  typeof output === 'function' ? undefined : output;
