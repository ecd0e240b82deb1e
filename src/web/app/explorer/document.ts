/** The parts of a JSON schema that the forms use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  description?: string;
}

export interface ApiParameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface ResponseObject {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
}

interface OperationObject {
  operationId: string;
  tags?: string[];
  summary: string;
  description?: string;
  parameters?: ApiParameter[];
  responses?: Record<string, ResponseObject>;
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
}

type Servers = { url: string }[];

/** The parts of an OpenAPI 3.1 document that the forms use. */
export interface OpenApi {
  info: { title: string; description?: string };
  servers: Servers;
  paths: Record<string, { servers?: Servers } & Record<string, OperationObject>>;
  components: { parameters?: Record<string, ApiParameter>; schemas?: Record<string, Schema>; responses?: Record<string, ResponseObject> };
}

/** A top-level member of a body. */
export interface SchemaMember {
  name: string;
  required: boolean;
  schema: Schema;
}

export interface ApiOperation {
  id: string;
  tag: string;
  /** In upper case. */
  method: string;
  /** Path of the server URL; '' for the root of a site. */
  root: string;
  /** With its variables in braces. */
  path: string;
  summary: string;
  description: string;
  parameters: ApiParameter[];
  body?: { required: boolean; example: unknown; members: SchemaMember[] };
  responses: { status: string; description: string; members: SchemaMember[]; readonly example: unknown }[];
}

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** Returns all operations in the order of the document. */
export function operationsOf({ paths, servers, components }: OpenApi): ApiOperation[] {
  const resolveSchema = (schema: Schema): Schema => {
    if (schema.$ref) return resolveSchema(components.schemas?.[nameIn(schema.$ref)] ?? {});
    const first = (schema.anyOf ?? schema.oneOf)?.[0];
    return schema.properties || !first ? schema : resolveSchema(first);
  };
  const membersOf = (schema: Schema): SchemaMember[] => {
    const { properties = {}, required = [] } = resolveSchema(schema);
    return Object.entries(properties).map(([name, each]) => ({ name, schema: each, required: required.includes(name) }));
  };
  /** Returns a value that a schema allows, as far as its types tell. */
  const exampleOf = (schema: Schema, depth = 0): unknown => {
    const { const: only, enum: choices, default: initial, properties, items, type } = resolveSchema(schema);
    const value = only ?? initial ?? choices?.[0];
    if (value !== undefined || depth > 4) return value;
    if (properties) return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, exampleOf(each, depth + 1)]));
    if (items) return [exampleOf(items, depth + 1)];
    const [first] = [type].flat();
    return first === 'boolean' ? false : first === 'integer' || first === 'number' ? 0 : first === 'string' ? '…' : undefined;
  };
  const bodyOf = ({ requestBody }: OperationObject): ApiOperation['body'] => {
    const json = requestBody?.content['application/json'];
    if (!json) return undefined;
    return { required: requestBody!.required === true, example: json.example, members: membersOf(json.schema) };
  };
  const responsesOf = ({ responses = {} }: OperationObject): ApiOperation['responses'] =>
    Object.entries(responses).map(([status, response]) => {
      const { description = '', content = {} } = response.$ref ? (components.responses?.[nameIn(response.$ref)] ?? {}) : response;
      const [body] = Object.values(content);
      return {
        status,
        description,
        members: body?.schema ? membersOf(body.schema) : [],
        get example() {
          return body && (body.example ?? exampleOf(body.schema ?? {}));
        },
      };
    });
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => {
        const operation = item[method]!;
        const { operationId, tags, summary, description = '', parameters = [] } = operation;
        return {
          id: operationId,
          tag: tags?.[0] ?? '',
          method: method.toUpperCase(),
          root: new URL((item.servers ?? servers)[0]!.url, location.href).pathname.replace(/\/$/, ''),
          path,
          summary,
          description,
          parameters: parameters.map((each) => (each.$ref ? components.parameters![nameIn(each.$ref)]! : each)),
          body: bodyOf(operation),
          responses: responsesOf(operation),
        };
      }),
  );
}

/** An entry of the list: an operation, with its variants by slug and by other methods. */
export interface OperationGroup {
  main: ApiOperation;
  variants: ApiOperation[];
}

/** Returns a summary without the words that tell variants of an operation apart. */
const baseSummary = ({ summary }: ApiOperation): string => summary.replace(/ by slug| \((POST|PUT)\)/g, '');

/** Groups the variants of operations. The main one is that with the shortest summary. */
export function groupOperations(operations: readonly ApiOperation[]): OperationGroup[] {
  const groups = new Map<string, ApiOperation[]>();
  for (const operation of operations) {
    const key = `${operation.tag} ${baseSummary(operation)}`;
    groups.set(key, [...(groups.get(key) ?? []), operation]);
  }
  return [...groups.values()].map((variants) => ({
    main: variants.find((each) => each.summary === baseSummary(each)) ?? variants[0]!,
    variants,
  }));
}

const nameIn = (ref: string): string => ref.split('/').at(-1)!;

/** Describes the type of a schema: 'integer', 'list of string', 'asc, desc'. */
export function typeOf({ type, enum: values, anyOf, items }: Schema): string {
  if (values) return values.length > 9 ? '' : values.map(String).join(', ');
  if (anyOf) return [...new Set(anyOf.map(typeOf).filter(Boolean))].join(' or ');
  const types = [type ?? 'any'].flat().filter((each) => each !== 'null');
  const ofItems = items && typeOf(items) ? ` of ${typeOf(items)}` : '';
  return types.map((each) => (each === 'array' ? `list${ofItems}` : each)).join(' or ');
}

/** Returns the values that a schema allows; undefined if it doesn't list them. */
export function choicesOf({ enum: values, anyOf, type }: Schema): string[] | undefined {
  if (type === 'boolean' || anyOf?.some((each) => each.type === 'boolean')) return ['true', 'false'];
  return values?.map(String);
}
