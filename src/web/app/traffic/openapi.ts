/** The parts of a JSON schema that suggestions use. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  default?: unknown;
  description?: string;
}

interface ParameterObject {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema: Schema;
}

interface OperationObject {
  operationId: string;
  summary: string;
  parameters?: ParameterObject[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

type Servers = { url: string }[];

/** The parts of an OpenAPI 3.1 document that suggestions use. */
export interface OpenApi {
  servers: Servers;
  paths: Record<string, { servers?: Servers } & Record<string, OperationObject>>;
  components: { parameters?: Record<string, ParameterObject>; schemas?: Record<string, Schema> };
}

/** A parameter of the query, or a member of the body. */
export interface Suggestion {
  name: string;
  about: string;
  /** The values that are allowed. */
  choices?: string[];
  initial?: string;
}

/** A route that a request can be sent to. */
export interface ApiOperation {
  id: string;
  /** In upper case. */
  method: string;
  /** The whole path, with its variables in braces. */
  path: string;
  summary: string;
  parameters: Suggestion[];
  /** Members of the body, and an example of it; absent if it takes none. */
  body?: { members: Suggestion[]; example: unknown };
}

export const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** All operations in the order of the document. */
export function operationsOf({ paths, servers, components }: OpenApi): ApiOperation[] {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref) return resolve(components.schemas?.[nameIn(schema.$ref)] ?? {});
    const first = (schema.anyOf ?? schema.oneOf)?.[0];
    return schema.properties || !first ? schema : resolve(first);
  };
  const bodyOf = ({ requestBody }: OperationObject): ApiOperation['body'] => {
    const json = requestBody?.content['application/json'];
    if (!json) return undefined;
    const members = Object.entries(resolve(json.schema).properties ?? {}).map(([name, schema]) => suggestionOf(name, schema));
    return { members, example: json.example };
  };
  return Object.entries(paths).flatMap(([path, item]) => {
    const root = new URL((item.servers ?? servers)[0]!.url, location.href).pathname.replace(/\/$/, '');
    return methods.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      if (!operation) return [];
      const { operationId: id, summary, parameters = [] } = operation;
      const query = parameters
        .map((each) => (each.$ref ? components.parameters![nameIn(each.$ref)]! : each))
        .filter((each) => each.in === 'query');
      return [
        {
          id,
          method,
          path: path === '/' ? root || '/' : root + path,
          summary,
          parameters: query.map(({ name, schema, description }) => ({ ...suggestionOf(name, schema), about: description ?? '' })),
          body: bodyOf(operation),
        },
      ];
    });
  });
}

const nameIn = (ref: string): string => ref.split('/').at(-1)!;

function suggestionOf(name: string, schema: Schema): Suggestion {
  const { enum: values, anyOf, type, default: initial, description = '' } = schema;
  const isSwitch = type === 'boolean' || anyOf?.some((each) => each.type === 'boolean');
  const choices = isSwitch ? ['true', 'false'] : values?.map(String);
  return { name, about: description, ...(choices && { choices }), ...(initial !== undefined && { initial: String(initial) }) };
}

export function operationFor(operations: readonly ApiOperation[], method: string, path: string): ApiOperation | undefined {
  const matches = ({ path: pattern }: ApiOperation) => {
    const source = pattern
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? '(\\d+|\\{id\\})' : '([^/]+)'));
    return new RegExp(`^${source.replace(/\/$/, '')}/?$`).test(path);
  };
  return operations.find((each) => each.method === method && matches(each));
}
