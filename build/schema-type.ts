import { capitalized } from '../src/model/grammar.ts';

/** A JSON Schema. */
export type Schema = Record<string, unknown>;

/** The rules of one kind of document. Returns the type of a schema, or undefined to apply the common rules. */
export type SchemaRules = (schema: Schema, depth: number) => string | undefined;

export const union = (types: readonly string[]): string =>
  [...new Set(types.flatMap((type) => (/[^\w |]/.test(type) ? [type] : type.split(' | '))))].join(' | ');
export const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
export const listOf = (items: string): string => (/[ |]/.test(items) ? `(${items})[]` : `${items}[]`);

export const docstring = (description: unknown): string => `/** ${capitalized(String(description)).replace(/([^.!?])$/, '$1.')} */\n`;

/** Returns a schema as a TypeScript type, indented to `depth`. Throws for a schema that no type describes. */
export function schemaType(schema: Schema, rules: SchemaRules, depth = 0): string {
  const special = rules(schema, depth);
  if (special !== undefined) return special;
  const typeOf = (part: Schema) => schemaType(part, rules, depth);
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return union(alternatives.map(typeOf));
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listOf(typeOf(schema.items as Schema));
    case 'object':
      if (schema.properties) return objectType(schema, rules, depth);
  }
  throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
}

function objectType({ properties, required = [], additionalProperties }: Schema, rules: SchemaRules, depth: number): string {
  const indent = '  '.repeat(depth + 1);
  const members = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
    const about = schema.description ? `${indent}${docstring(schema.description)}` : '';
    const optional = (required as string[]).includes(name) ? '' : '?';
    // Callers may pass undefined for what they leave out, also with exactOptionalPropertyTypes.
    const type = schemaType(schema, rules, depth + 1);
    return `${about}${indent}${name}${optional}: ${optional ? union([type, 'undefined']) : type};\n`;
  });
  // Members of other sites and declared fields.
  if (additionalProperties === true) members.push(`${indent}[name: string]: unknown;\n`);
  return `{\n${members.join('')}${'  '.repeat(depth)}}`;
}
