import * as z from 'zod';
import { operationGroups } from '../src/model/operations/all.ts';
import { fileOf, type Operation, typeNameOf } from '../src/model/operations/operation.ts';

/** A JSON Schema; `type` of a part that has a public type is the name of that type. */
type Schema = Record<string, unknown> & { typeName?: string };

/** The public types of operations, as statements by name: of the schemas with a name, and `OperationMethods`. */
export function operationTypes(): Map<string, string> {
  const types = new Map<string, string>();
  /** The names whose values callers pass: their lists may be read-only. */
  const inputs = new Set<string>();
  const forms = new Map<string, z.ZodType>();

  /** Returns a schema with the names of its parts, and notes every named part. */
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
      const optional = input && Array.isArray(input.required) && input.required.length ? '' : '?';
      const parameter = input ? `input${optional}: ${typeOf(input, { isInput: true, root: input, depth: 2 })}` : '';
      return [`    /** ${operation.about}. */\n    ${name}(${parameter}): Promise<${outputType(operation, read)}>;\n`];
    });
    return `  ${group}: {\n${methods.join('')}  };\n`;
  });
  // Reading a form can find further ones, which the loop then reaches.
  for (const [name, form] of forms) {
    const isInput = inputs.has(name);
    const schema = read(form, isInput);
    const about = schema.description ? `/** ${sentence(schema.description)} */\n` : '';
    types.set(name, `${about}type ${name} = ${typeOf(schema, { isInput, root: schema, depth: 0 })};`);
  }
  types.set(
    'OperationMethods',
    `/** Methods that take one object each, by group. */\ninterface OperationMethods {\n${signatures.join('')}}`,
  );
  return types;
}

/** Returns a schema with the name of its form, if it has one. */
const named = (form: z.ZodType, schema: Schema): Schema => ({ ...schema, typeName: typeNameOf(form) });

function outputType(operation: Operation, read: (form: z.ZodType, isInput: boolean) => Schema): string {
  const file = fileOf(operation);
  if (file) return file.form === 'bytes' ? 'Uint8Array' : 'string';
  const form = (operation.output as (zod: typeof z) => z.ZodType)(z);
  const schema = named(form, read(form, false));
  return typeOf(schema, { isInput: false, root: schema, depth: 2 });
}

interface Place {
  isInput: boolean;
  /** The schema whose definitions references name. */
  root: Schema;
  depth: number;
}

const sentence = (text: unknown): string => {
  const words = String(text);
  return `${words[0]!.toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
};
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** Returns a schema as a type. Throws for a schema that no type here describes. */
function typeOf(schema: Schema, place: Place): string {
  if (schema.typeName) return schema.typeName;
  if (typeof schema.$ref === 'string') {
    const target = (place.root.$defs as Record<string, Schema> | undefined)?.[schema.$ref.split('/').at(-1)!];
    if (!target) throw new Error(`no definition of ${schema.$ref}`);
    return typeOf(target, place);
  }
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return union(alternatives.map((each) => typeOf(each, place)));
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, place)));
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const readonly = place.isInput ? 'readonly ' : '';
      const tuple = schema.prefixItems as Schema[] | undefined;
      if (tuple) return `${readonly}[${tuple.map((item) => typeOf(item, place)).join(', ')}]`;
      const items = typeOf(schema.items as Schema, place);
      return `${readonly}${/[ |]/.test(items) ? `(${items})` : items}[]`;
    }
    case 'object':
      return objectType(schema, place);
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
}

function objectType({ properties, required = [], additionalProperties }: Schema, place: Place): string {
  if (!properties) {
    const values = typeof additionalProperties === 'object' && additionalProperties ? (additionalProperties as Schema) : {};
    const type = typeOf(values, place);
    return type === 'unknown' ? 'object' : `${place.isInput ? 'Readonly<' : ''}Record<string, ${type}>${place.isInput ? '>' : ''}`;
  }
  const indent = '  '.repeat(place.depth + 1);
  const members = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const about = schema.description ? `${indent}/** ${sentence(schema.description)} */\n` : '';
    const optional = (required as string[]).includes(name) ? '' : '?';
    return `${about}${indent}${name}${optional}: ${typeOf(schema, { ...place, depth: place.depth + 1 })};\n`;
  });
  return `{\n${members.join('')}${'  '.repeat(place.depth)}}`;
}
