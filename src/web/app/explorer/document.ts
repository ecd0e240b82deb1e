/** A schema of a document, as far as a form needs it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
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

interface Described {
  operationId: string;
  tags?: string[];
  summary: string;
  description?: string;
  parameters?: ApiParameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
}

type Servers = { url: string }[];

/** OpenAPI 3.1, as far as a form needs it. */
export interface OpenApi {
  info: { title: string; description?: string };
  servers: Servers;
  paths: Record<string, { servers?: Servers } & Record<string, Described>>;
  components: { parameters?: Record<string, ApiParameter>; schemas?: Record<string, Schema> };
}

/** A member of a body. */
export interface BodyMember {
  name: string;
  required: boolean;
  schema: Schema;
}

/** What can be asked of a server. */
export interface ApiOperation {
  id: string;
  tag: string;
  /** In upper case. */
  method: string;
  /** Where the path begins: a path itself, '' at the root of a site. */
  root: string;
  /** With its variables in braces. */
  path: string;
  summary: string;
  description: string;
  parameters: ApiParameter[];
  body?: { required: boolean; example: unknown; members: BodyMember[] };
}

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** Every operation of a document, in its order. */
export function operationsOf({ paths, servers, components }: OpenApi): ApiOperation[] {
  const schemaOf = (schema: Schema): Schema => {
    if (schema.$ref) return schemaOf(components.schemas?.[nameIn(schema.$ref)] ?? {});
    return schema.properties || !schema.anyOf?.[0] ? schema : schemaOf(schema.anyOf[0]);
  };
  const bodyOf = ({ requestBody }: Described): ApiOperation['body'] => {
    const json = requestBody?.content['application/json'];
    if (!json) return undefined;
    const { properties = {}, required = [] } = schemaOf(json.schema);
    const members = Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));
    return { required: requestBody!.required === true, example: json.example, members };
  };
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
        };
      }),
  );
}

const nameIn = (ref: string): string => ref.split('/').at(-1)!;

/** What a schema takes, in a few words. */
export function typeOf({ type, enum: values, anyOf, items }: Schema): string {
  if (values) return values.length > 8 ? '' : values.map(String).join(', ');
  if (anyOf) return [...new Set(anyOf.map(typeOf).filter(Boolean))].join(' or ');
  const types = [type ?? 'anything'].flat().filter((each) => each !== 'null');
  return types.map((each) => (each === 'array' && items ? `list of ${typeOf(items)}` : each)).join(' or ');
}

/** The values to choose from where a schema takes few; undefined where anything may be written. */
export function choicesOf({ enum: values, anyOf, type }: Schema): string[] | undefined {
  if (type === 'boolean' || anyOf?.some((each) => each.type === 'boolean')) return ['true', 'false'];
  return values?.map(String);
}
