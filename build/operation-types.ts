import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { exitCodes, failures } from '../src/model/error.ts';
import { operationGroups } from '../src/model/operations/all.ts';
import { connectionFaults } from '../src/model/operations/connection-faults.ts';
import { fileOf, type Operation, typeNameOf } from '../src/model/operations/operation.ts';
import { resourceNames } from '../src/model/resources/names.ts';
import { docstring, type Schema as JsonSchema, listOf, literal, schemaType, union } from './schema-type.ts';

/** A JSON Schema; `typeName` is the name of its public type. */
type Schema = JsonSchema & { typeName?: string };

/** Prefixes of methods in examples, for groups without a member of their name. */
const ownGroups: Record<string, string> = { server: '', sync: 'data.' };

function docstringsOfSchemas(): Map<string, string> {
  const folder = new URL('../src/model/operations/', import.meta.url);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const documented = /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)(?:export )?const \w+ = namedSchema\('(\w+)'/gm;
  return new Map(sources.flatMap((source) => [...source.matchAll(documented)].map(([, text, name]) => [name!, text!] as const)));
}

/** Returns the public types of operations as statements by name: those of named schemas, and `OperationMethods`. */
export function operationTypes(): Map<string, string> {
  const types = new Map<string, string>();
  const texts = docstringsOfSchemas();
  /** The names whose values callers pass: their lists may be read-only. */
  const inputs = new Set<string>();
  const forms = new Map<string, z.ZodType>();

  /** Returns a schema with the names of its parts, and records each named part. */
  const read = (form: z.ZodType, isInput: boolean): Schema => {
    const json = z.toJSONSchema(form, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const name = typeNameOf(zodSchema);
        if (name === undefined) return;
        if (isInput) inputs.add(name);
        forms.set(name, zodSchema as unknown as z.ZodType);
        if ((zodSchema as unknown) === form) return;
        (jsonSchema as Schema).typeName = name;
      },
    }) as Schema;
    return json;
  };

  const signatures = Object.entries(operationGroups).map(([group, operations]) => {
    const methods = Object.entries(operations as Record<string, Operation>).flatMap(([name, operation]) => {
      if (fileOf(operation)?.form === 'stream') return [];
      const form = operation.input?.(z);
      const input = form && named(form, read(form, true));
      const result = operation.unwrap === undefined ? '' : `const ${operation.unwrap} = `;
      const example = `@example ${result}await calendar.${ownGroups[group] ?? `${group}.`}${name}(${operation.example ?? ''});`;
      const signature = `${name}(${input ? parameters(input, operation.arg) : ''}): Promise<${outputType(operation, read)}>`;
      return [`    /**\n     * ${operation.text ?? operation.about}.\n     * ${example}\n     */\n    ${signature};\n`];
    });
    const owner = ownGroups[group] ?? `${group}.`;
    return `  /** Methods of \`calendar${owner ? `.${owner.slice(0, -1)}` : ''}\`. */\n  ${group}: {\n${methods.join('')}  };\n`;
  });
  // Reading a form can find further ones, which the loop then reaches.
  for (const [name, form] of forms) {
    const isInput = inputs.has(name);
    const schema = read(form, isInput);
    const about = texts.get(name) ?? docstring(schema.description ?? '');
    types.set(name, `${about}type ${name} = ${typeOf(schema, { isInput, root: schema, depth: 0 })};`);
  }
  types.set(
    'HttpMethod',
    `/** A method of HTTP requests. */\ntype HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';`,
  );
  types.set(
    'FailureCode',
    `/** The code of a {@link Failure}. */\ntype FailureCode = ${[...Object.keys(failures).map(literal), 'RecordFailureCode'].join(' | ')};`,
  );
  types.set('ResourceName', `/** The name of a resource. */\ntype ResourceName = ${union(resourceNames.map(literal))};`);
  types.set('ExitCode', `/** An exit code of the command line. */\ntype ExitCode = ${union(Object.values(exitCodes).map(literal))};`);
  types.set(
    'ConnectionFault',
    `/** A fault of the connection, like \`reset\`. */\ntype ConnectionFault = ${union(connectionFaults.map(literal))};`,
  );
  types.set(
    'OperationMethods',
    `/** Methods that take one object each, by group. */\ninterface OperationMethods {\n${signatures.join('')}}`,
  );
  return types;
}

const named = (form: z.ZodType, schema: Schema): Schema => ({ ...schema, typeName: typeNameOf(form) });

/** Returns the parameters of a method: the input, or a member of it and the others. A member can be omitted only if nothing follows it. */
function parameters(input: Schema, arg: string | undefined): string {
  const required = (input.required ?? []) as string[];
  const place = { isInput: true, root: input, depth: 2 };
  if (arg === undefined) return `input${required.length ? '' : '?'}: ${typeOf(input, place)}`;
  const { [arg]: first, ...others } = input.properties as Record<string, Schema>;
  const type = typeOf(first!, place);
  if (!Object.keys(others).length) return `${arg}${required.includes(arg) ? '' : '?'}: ${type}`;
  const options: Schema = { ...input, typeName: undefined, properties: others, required: [] };
  return `${arg}: ${type}, options?: ${input.typeName ? `Omit<${input.typeName}, '${arg}'>` : typeOf(options, place)}`;
}

function outputType(operation: Operation, read: (form: z.ZodType, isInput: boolean) => Schema): string {
  const file = fileOf(operation);
  if (file) return file.form === 'bytes' ? 'Uint8Array' : 'string';
  const form = (operation.output as (zod: typeof z) => z.ZodType)(z);
  const schema = named(form, read(form, false));
  if (schema.type === 'null') return 'void';
  const part = operation.unwrap === undefined ? schema : (schema.properties as Record<string, Schema>)[operation.unwrap]!;
  return typeOf(part, { isInput: false, root: schema, depth: 2 });
}

interface Place {
  isInput: boolean;
  /** The schema whose definitions references name. */
  root: Schema;
  depth: number;
}

/** Throws for a schema that no type describes. */
function typeOf(schema: Schema, { isInput, root, depth }: Place): string {
  const part = (each: Schema, at: number): string => typeOf(each, { isInput, root, depth: at });
  return schemaType(
    schema,
    (each: Schema, at) => {
      if (each.typeName) return each.typeName;
      if (typeof each.$ref === 'string') {
        const target = (root.$defs as Record<string, Schema> | undefined)?.[each.$ref.split('/').at(-1)!];
        if (!target) throw new Error(`no definition of ${each.$ref}`);
        return part(target, at);
      }
      if (each.type === 'array') {
        const tuple = each.prefixItems as Schema[] | undefined;
        const list = tuple ? `[${tuple.map((item) => part(item, at)).join(', ')}]` : listOf(part(each.items as Schema, at));
        return isInput ? `readonly ${list}` : list;
      }
      if (each.type === 'object' && !each.properties) {
        const values = each.additionalProperties;
        const type = typeof values === 'object' && values ? part(values as Schema, at) : 'unknown';
        if (type === 'unknown') return 'object';
        return isInput ? `Readonly<Record<string, ${type}>>` : `Record<string, ${type}>`;
      }
      return ['type', 'anyOf', 'oneOf', 'enum', 'const'].some((key) => key in each) ? undefined : 'unknown';
    },
    depth,
  );
}
