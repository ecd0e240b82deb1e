import { calendarContentOf, contentOf, notCalendar, parsedJson, type RemoteResponse } from '../../client/response.ts';
import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { everyRecordQuery, resources } from '../../model/resources/all.ts';
import { isTerms } from '../../model/resources/names.ts';
import { linkFields } from '../../model/resources/relations.ts';
import { routePath, routes } from '../../model/routes.ts';
import { addTexts, type EndpointShape, type JsonObject, membersOf, type Shape, type ShapeView } from './shape.ts';

/** A site whose responses are sampled. */
interface SampledSite {
  root: string;
  read(path: string, query: string): Promise<RemoteResponse>;
}

interface SampleOptions {
  /** Number of records of each resource to read from lists, and again one by one. */
  sample: number;
  /** An earlier shape, whose names of members are taken over. */
  before?: Shape;
  /** Called after each request. */
  onProgress?(requests: number): void;
}

/** Responses of a site. */
interface Samples {
  views: Map<string, JsonObject[]>;
  endpoints: Map<string, Omit<EndpointShape, 'errors'> & { errors: Record<string, { status: number; body: JsonObject }> }>;
}

type Query = Record<string, string>;

const pageSize = 10;
/** More records than a page of the API has. */
const tooMany = '200';
const bySlugSample = 3;
const unknown = { id: '2147483646', slug: 'calendar-shape-no-such-record' };

/** Reads a sample of a site, one request at a time, and returns its shape. Throws if the site has no events endpoint, or fails. */
export async function readSite(site: SampledSite, options: SampleOptions): Promise<Shape> {
  const samples: Samples = { views: new Map(), endpoints: new Map() };
  const reader = new Reader(site, options, samples);
  for (const name of resourceNames) await reader.readResource(name);
  await reader.readError('/*', 'unknown', `/${unknown.slug}`);
  return shapeOf(samples, options);
}

function shapeOf({ views, endpoints }: Samples, { sample, before }: SampleOptions): Shape {
  const texts = new Set<string>();
  for (const [name, objects] of views) if (!name.includes('-page')) addTexts(objects, texts);
  const viewOf = (name: string, objects: JsonObject[]): ShapeView => {
    const resource = resourceNames.find((each) => name.startsWith(`${each}.`))!;
    const links = new Set(name.includes('-page') ? [resource] : linkFields(resource).map((field) => field.name));
    return { records: objects.length, members: membersOf(objects, { texts, like: before?.views[name]?.members }, links) };
  };
  const endpointOf = (
    path: string,
    { errors, ...paging }: { errors: Record<string, { status: number; body: JsonObject }> },
  ): EndpointShape => ({
    ...paging,
    errors: Object.fromEntries(
      Object.entries(errors).map(([label, { status, body }]) => {
        const { code } = body;
        const members = membersOf([body], { texts, like: before?.endpoints[path]?.errors[label]?.members });
        return [
          label,
          { status, ...(typeof code === 'string' && /^[\w-]{1,60}$/.test(code) && !texts.has(code) ? { code } : {}), members },
        ];
      }),
    ),
  });
  return {
    version: 1,
    sample,
    views: Object.fromEntries([...views].map(([name, objects]) => [name, viewOf(name, objects)])),
    endpoints: Object.fromEntries([...endpoints].map(([path, endpoint]) => [path, endpointOf(path, endpoint)])),
  };
}

class Reader {
  #requests = 0;

  constructor(
    private readonly site: SampledSite,
    private readonly options: SampleOptions,
    private readonly samples: Samples,
  ) {}

  /** Reads lists, single records and errors of a resource. */
  async readResource(name: ResourceName): Promise<void> {
    const path = `/${name}`;
    const query = listQuery(name);
    const first = await this.#get(path, query);
    // Sites may lack a resource, but not events.
    if (name !== resourceNames[0] && first.status >= 400 && first.status < 500 && isObject(parsedJson(first.body)))
      return this.#addError(path, 'list', first);
    const { records, total } = this.#page(name, first);
    const largest = await this.#get(path, { ...query, per_page: tooMany });
    this.samples.endpoints.set(path, {
      ...sizeIn('default_per_page', records, total),
      ...(largest.status < 400 ? sizeIn('max_per_page', this.#page(name, largest).records, total) : {}),
      errors: {},
    });
    // Sites limit the size of pages, or reject larger ones.
    if (largest.status >= 400) this.#addError(path, 'too-many-per-page', largest);
    // Only with three records, the first page has a next one, and the second both.
    if (total >= 3)
      for (const [number, view] of Object.entries({ 1: 'first-page', 2: 'second-page' }))
        this.#add(`${name}.${view}`, [this.#page(name, await this.#get(path, { ...query, per_page: '1', page: number })).body]);
    await this.#readRecords(name, await this.#list(name, query));
    await this.readError(path, 'invalid-page', path, { ...query, page: '0' });
    await this.readError(path, 'page-beyond-the-end', path, { ...query, page: '999999' });
  }

  /** Adds an error response to an endpoint. */
  async readError(endpoint: string, label: string, path: string, query: Query = {}): Promise<void> {
    this.#addError(endpoint, label, await this.#get(path, query));
  }

  #addError(endpoint: string, label: string, response: RemoteResponse): void {
    const samples = this.samples.endpoints.get(endpoint) ?? { errors: {} };
    const json = parsedJson(response.body);
    samples.errors[label] = { status: response.status, body: response.status >= 400 && isObject(json) ? (json as JsonObject) : {} };
    this.samples.endpoints.set(endpoint, samples);
  }

  /** Records of pages that are spread over the whole list. */
  async #list(name: ResourceName, query: Query): Promise<JsonObject[]> {
    const { sample } = this.options;
    const size = Math.min(pageSize, sample);
    const read = async (page: number) =>
      this.#page(name, await this.#get(`/${name}`, { ...query, per_page: String(size), page: String(page) }));
    const first = await read(1);
    const pages = Math.max(1, Number(first.body.total_pages) || 1);
    const count = Math.min(pages, Math.ceil(sample / size));
    const records = [...first.records];
    for (let k = 1; k < count; k++) records.push(...(await read(1 + Math.floor((k * pages) / count))).records);
    return [...new Map(records.map((record) => [record.id, record])).values()].slice(0, sample);
  }

  /** Adds the forms of records, and the errors of their endpoints. */
  async #readRecords(name: ResourceName, listed: JsonObject[]): Promise<void> {
    this.#add(`${name}.list`, listed);
    const embedded = [...listed];
    for (const route of routes.filter((each) => each.resource === name && each.by !== 'all')) {
      const by = route.by as 'id' | 'slug';
      const records: JsonObject[] = [];
      for (const record of by === 'id' ? listed : listed.slice(0, bySlugSample)) {
        if (typeof record[by] !== 'string' && typeof record[by] !== 'number') continue;
        const response = await this.#get(routePath(route, () => encodeURIComponent(String(record[by]))));
        const json = parsedJson(response.body);
        // It may have been deleted since, or the site may lack the route.
        if (response.status < 300 && isObject(json)) records.push(json as JsonObject);
      }
      this.#add(`${name}.${by === 'id' ? 'single' : 'by-slug'}`, records);
      embedded.push(...records);
      await this.readError(
        routePath(route, (each) => `{${each}}`),
        'unknown',
        routePath(route, (each) => unknown[each]),
      );
    }
    for (const { name: member, links } of linkFields(name))
      this.#add(`${links}.embedded`, embedded.flatMap((record) => record[member]).filter(isObject) as JsonObject[]);
  }

  #add(view: string, objects: JsonObject[]): void {
    this.samples.views.set(view, [...(this.samples.views.get(view) ?? []), ...objects]);
  }

  #page(name: ResourceName, response: RemoteResponse): { body: JsonObject; records: JsonObject[]; total: number } {
    const address = `${this.site.root}/${name}`;
    const body = calendarContentOf(response, address);
    if (!isObject(body) || !Array.isArray(body[name])) throw notCalendar(response, address);
    return { body: body as JsonObject, records: body[name].filter(isObject) as JsonObject[], total: Number(body.total) || 0 };
  }

  /** Reads a path. Throws if the site fails or limits requests. */
  async #get(path: string, query: Query = {}): Promise<RemoteResponse> {
    const response = await this.site.read(path, String(new URLSearchParams(query)));
    this.options.onProgress?.(++this.#requests);
    const { status } = response;
    if (status >= 500 || status === 429 || (status >= 300 && status < 400)) contentOf(response, `${this.site.root}${path}`);
    return response;
  }
}

/** The size of a page, unless it is the only one. */
const sizeIn = (limit: 'default_per_page' | 'max_per_page', { length }: JsonObject[], total: number) =>
  length && total > length ? { [limit]: length } : {};

const listQuery = (name: ResourceName): Query => ({
  ...everyRecordQuery(resources[name]),
  ...(isTerms(name) ? { orderby: 'id', order: 'asc' } : {}),
});
