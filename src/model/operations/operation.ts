import type { output, ZodType } from 'zod';
import type { Zod } from '../fields/field.ts';

/** A schema that is made when a value is first validated: zod is loaded only then. */
export type ValueSchema<Value> = (z: Zod) => ZodType<Value>;
/** The type of the values that a schema accepts. */
export type ValueOf<Make extends (z: Zod) => ZodType> = output<ReturnType<Make>>;

/** The names of schemas that are types of the package. */
const typeNames = new WeakMap<object, string>();

/** Returns the name of the public type of a schema; undefined for none. */
export const typeNameOf = (schemaType: object): string | undefined => typeNames.get(schemaType);

/** Returns a function that makes a schema once. */
export function schema<Made extends ZodType>(make: (z: Zod) => Made): (z: Zod) => Made {
  let cached: Made | undefined;
  return (z) => {
    cached ??= make(z);
    return cached;
  };
}

/** The same for a schema whose values have a public type of the package; the build writes it from the schema. */
export const namedSchema = <Made extends ZodType>(typeName: string, make: (z: Zod) => Made): ((z: Zod) => Made) =>
  schema((z) => {
    const schemas = make(z);
    typeNames.set(schemas, typeName);
    return schemas;
  });

/**
 * Who may call an operation over HTTP, besides the owner of the server. `everyone`: every caller of the control API. `full`: the operation shows or changes everything; a server of a file
 * allows it with --control only. `trusted`: callers with the control token, because the server sends requests to other servers. `owner`: no other caller, because the operation reaches local files.
 */
export type OperationAccess = 'everyone' | 'full' | 'trusted' | 'owner';

/** An output that is sent as it is, with the schema of the content by media type. */
export interface FileOutput {
  form: 'text' | 'bytes' | 'stream';
  types: Readonly<Record<string, ValueSchema<unknown>>>;
  /** Returns the media type for an input; the first of `types` by default. */
  typeOf?(input: never): string;
}

/** One operation on a calendar as a whole: routes, client, TypeScript methods, documents and types are derived from it. */
export interface Operation<Id extends string = string, Input = unknown, Output = unknown, Arg = string, Part = string> {
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
  /** The text of its TypeScript method, where `about` says what only HTTP has. */
  text?: string;
  /** The arguments of its TypeScript method, for the example. */
  example?: string;
  /** The member of the input that is the first argument of its TypeScript method; the others are the second. */
  arg?: Arg;
  /** The member of the output that its TypeScript method returns; the whole output by default. */
  unwrap?: Part;
  /** Takes no input when absent. */
  input?: ValueSchema<Input>;
  /** The schema of the output, or its form; operation() is given the types of its input and output then. */
  output: ValueSchema<Output> | FileOutput;
  /** Returns its output over HTTP if its input has a member `format`. `version` is that of this program. */
  formOf?(output: Output, format: string, version: string): unknown;
}

/** Defines an operation; TypeScript infers its types. */
export const operation = <
  const Id extends string,
  Input = Record<string, never>,
  Output = null,
  const Arg extends string = never,
  const Part extends string = never,
>(
  record: Operation<Id, Input, Output, Arg, Part>,
): Operation<Id, Input, Output, Arg, Part> => record;

/** Groups of operations. The name of a group and of a member is that of the TypeScript method. */
export type OperationGroups = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Calls an operation; optional if every member of its input is. */
export type OperationCaller<Each> =
  Each extends Operation<string, infer Input, infer Output, infer _Arg, infer _Part>
    ? (...input: MethodArguments<Input>) => Promise<Output>
    : never;
/** The TypeScript method of an operation. An argument can be omitted if its member can and no other argument follows it. */
export type OperationMethod<Each> =
  Each extends Operation<string, infer Input, infer Output, infer Arg, infer Part>
    ? (
        ...input: [Arg] extends [never] ? MethodArguments<Input> : ArgumentsFrom<Input, Arg & keyof Input>
      ) => Promise<[Part] extends [never] ? ([Output] extends [null] ? void : Output) : Output[Part & keyof Output]>
    : never;
type ArgumentsFrom<Input, Arg extends keyof Input> = [Exclude<keyof Input, Arg>] extends [never]
  ? object extends Input
    ? [arg?: Input[Arg]]
    : [arg: Input[Arg]]
  : [arg: NonNullable<Input[Arg]>, options?: Omit<Input, Arg>];
type MethodArguments<Input> =
  Record<never, never> extends Input ? [input?: Input, signal?: AbortSignal] : [input: Input, signal?: AbortSignal];

export const pathMemberOf = ({ path }: Pick<Operation, 'path'>): string | undefined => /\{(\w+)\}/.exec(path)?.[1];

export const operationsIn = (groups: OperationGroups): Operation[] => Object.values(groups).flatMap((group) => Object.values(group));

/** Returns an output that is sent as it is; undefined if it is sent as JSON. */
export const fileOf = ({ output }: Pick<Operation, 'output'>): FileOutput | undefined =>
  typeof output === 'function' ? undefined : output;
