/**
 * Writes src/model/operation-types.ts, which is not committed: the TypeScript types of the inputs and outputs of operations, translated from their schemas.
 * `npm run types` and `npm run build` run it.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { JsonSchema } from '../src/model/fields/field.ts';
import { capitalized } from '../src/model/grammar.ts';
import { operationGroups } from '../src/model/operations/all.ts';
import { fileOf, type Operation } from '../src/model/operations/operation.ts';
import { externalTypes, sentence, typeOf } from './record-types.ts';

/** A schema of zod as JSON Schema, in which named parts are in place. */
function jsonOf(schema: z.ZodType): JsonSchema {
  const { $defs = {}, ...json } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const target = $ref === undefined ? {} : (whole($defs[String($ref).split('/').at(-1)!]) as JsonSchema);
    return { ...target, ...Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, whole(each)])) };
  };
  return whole(json) as JsonSchema;
}

const outputOf = ({ output }: Operation): JsonSchema => jsonOf((output as (zod: typeof z) => z.ZodType)(z));

/** The declaration of the TypeScript method of an operation. */
function methodOf(name: string, operation: Operation): string {
  const { input, arg, unwrap, about, text = about, example } = operation;
  const json = input ? jsonOf(input(z)) : {};
  const members = (json.properties ?? {}) as Record<string, JsonSchema>;
  const required = (json.required ?? []) as string[];
  const isOptional = !required.some((each) => each !== arg);
  const type = typeOf(json, { depth: 1, isInput: true });
  const others = Object.keys(members).length > (arg ? 1 : 0);
  const options = others ? `${arg ? 'options' : 'input'}${isOptional ? '?' : ''}: ${arg ? `Omit<${type}, '${arg}'>` : type}` : '';
  const first = arg ? `${arg}${required.includes(arg) || others ? '' : '?'}: ${typeOf(members[arg]!, { depth: 1, isInput: true })}` : '';
  const whole = fileOf(operation) ? { type: 'string' } : outputOf(operation);
  const output = unwrap ? (whole.properties as Record<string, JsonSchema>)[unwrap]! : whole;
  const result = output.type === 'null' ? 'void' : typeOf(output, { depth: 1 });
  const parameters = [first, options].filter(Boolean).join(', ');
  return `  /**\n   * ${sentence(text)}\n   * @example ${example}\n   */\n  ${name}(${parameters}): Promise<${result}>;\n`;
}

function operationTypes(): string {
  const types = new Map<string, string>();
  const add = (value: unknown, isInput: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const each of Object.values(value)) add(each, isInput);
    const { typeName: name, typeText, typeIs, typeBase, description: _, ...schema } = value as JsonSchema;
    if (typeof name !== 'string' || typeText === undefined || types.has(name)) return;
    const [base, baseText] = (typeBase ?? [name, typeText]) as [string, string];
    const type = typeOf(schema, { depth: 0, isInput });
    if (typeIs === undefined || typeBase)
      types.set(
        base,
        `/** ${sentence(baseText)} */\nexport ${schema.type === 'object' ? `interface ${base} ${type}` : `type ${base} = ${type};`}\n`,
      );
    if (typeIs !== undefined) types.set(name, `/** ${sentence(typeText)} */\nexport type ${name} = ${typeIs};\n`);
  };
  const all = Object.values(operationGroups).flatMap<Operation>(Object.values);
  for (const { input } of all) if (input) add(jsonOf(input(z)), true);
  for (const operation of all) if (!fileOf(operation)) add(outputOf(operation), false);
  const groups = Object.entries(operationGroups).map(([group, operations]) => {
    const methods = Object.entries<Operation>(operations).flatMap(([name, each]) => (each.example ? [methodOf(name, each)] : []));
    const type = `${capitalized(group)}Methods`;
    return methods.length
      ? `/** The methods of the operations in \`${group}\`. */\nexport interface ${type} {\n${methods.join('')}}\n`
      : '';
  });
  const body = [...types.values(), ...groups.filter(Boolean)].join('\n');
  const imports = Object.entries(externalTypes).flatMap(([path, names]) => {
    const used = Object.keys(names).filter((name) => new RegExp(`\\b${name}\\b`).test(body));
    return used.length ? [`import type { ${used.join(', ')} } from '${path}';\n`] : [];
  });
  const members = [...types.keys()].map((name) => `  ${name}: ${name};\n`);
  return `// The types of operations, generated from their schemas by \`npm run types\` and \`npm run build\`.\n\n${imports.join('')}\n${body}\n/** All of them by name. */\nexport interface OperationTypes {\n${members.join('')}}\n`;
}

/** Writes the file. */
export const writeOperationTypes = (): void =>
  writeFileSync(fileURLToPath(new URL('../src/model/operation-types.ts', import.meta.url)), operationTypes());
