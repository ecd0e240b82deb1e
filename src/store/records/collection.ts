import {
  type Collection,
  type Entry,
  type Input,
  type Page,
  type Ref,
  type Resource,
  type Row,
  refText,
  type Sync,
} from '../../model/calendar.ts';
import type { ViewOptions } from '../../model/context.ts';
import { Failure, type Fault } from '../../model/error.ts';
import { isDeepEqual, toWholeNumber } from '../../model/fields/coerce.ts';
import type { Field } from '../../model/fields/field.ts';
import type { Query } from '../../model/fields/list.ts';
import { withArticle } from '../../model/grammar.ts';
import { renderContent } from '../../model/html/render.ts';
import { isMarked } from '../../model/html/tokens.ts';
import { icalMembers } from '../../model/ical/event.ts';
import type { Series } from '../../model/ical/occurrence.ts';
import { check } from '../../model/validate.ts';
import { SeriesTable } from '../identity/identity.ts';
import { type StoreContext, viewOptions } from './context.ts';
import { countHidden, rowsOfAll, selectPage } from './list.ts';
import { rowById, rowBySlug } from './queries.ts';

/** The ID and slug of a new record. */
export interface AddedRecord {
  id: number;
  slug: string;
}

/** The common part of the collections of all resources. */
export abstract class SqlCollection<R extends Resource> implements Sync<Collection> {
  constructor(
    protected readonly context: StoreContext,
    protected readonly resource: R,
  ) {}

  list(query: Query = {}, members?: ReadonlySet<string>): Page {
    const { rows, ...page } = selectPage(this.context, this.resource, query);
    return { entries: this.entriesOf(rows, { ...viewOptions(this.context, query), members }), ...page };
  }

  *listAll(query: Query = {}, members?: ReadonlySet<string>, withHidden = false): Generator<Entry> {
    const view = { ...viewOptions(this.context, query), members, linkedMembers: members };
    for (const rows of rowsOfAll(this.context, this.resource, query, withHidden)) yield* this.entriesOf(rows, view);
  }

  /** The number of records that only a rule of every list leaves out. */
  countHidden(query: Query = {}): number {
    return countHidden(this.context, this.resource, query);
  }

  /** A series with its occurrences of any date that lists show, as iCalendar needs them. */
  series(uid: string): { series: Series; entries: Entry[] } | undefined {
    const table = new SeriesTable(this.context.db);
    const series = table.find(uid);
    const include = series && table.occurrences(uid).join();
    return series && { series, entries: include ? [...this.listAll({ include, _uid: '1' }, icalMembers)] : [] };
  }

  abstract get(ref: Ref, query?: Query, members?: ReadonlySet<string>): Entry;

  create(input: Input): Entry {
    return this.stored(this.add(input).id);
  }

  /** Creates a record like `create`, and returns only its ID and slug. */
  abstract add(input: Input): AddedRecord;

  abstract update(ref: Ref, input: Input): Entry;

  abstract delete(ref: Ref): Entry;

  protected abstract entriesOf(rows: readonly Row[], view: ViewOptions): Entry[];

  /** A record as its writer sees it. */
  protected stored(id: number): Entry {
    return this.written(rowById(this.context.db, this.resource.name, id)!);
  }

  protected abstract written(row: Row): Entry;

  /** Checks the fields of an input; a copy may have empty ones, except for required dates. Throws with all faults, including the given ones. */
  protected check(input: Input, faults?: Record<string, Fault>): void {
    const { request } = this.context;
    check(this.resource.fields, input, request, faults, request.copying ? mayBeEmpty : undefined);
  }

  /**
   * The changes in an update. If a record that was read is sent back with its `id`, only members that differ count. A text as it is shown keeps the marks of blocks,
   * which are not shown.
   */
  protected changesIn(ref: Ref, body: Input): Input {
    const { copying } = this.context.request;
    const texts = copying ? [] : this.resource.fields.filter(({ name, control }) => control === 'text' && typeof body[name] === 'string');
    const row = copying || (toWholeNumber(body.id) === undefined && !texts.length) ? undefined : this.row(ref);
    if (!row || !this.mayChange(ref)) return body;
    const input = { ...body };
    for (const { name } of texts) if (isShownOf(body[name], row[name])) delete input[name];
    if (toWholeNumber(input.id) !== row.id) return input;
    const current = comparable(this.written(row));
    const incoming = comparable(input);
    return Object.fromEntries(Object.entries(input).filter(([name]) => !isDeepEqual(incoming[name], current[name])));
  }

  abstract mayChange(ref: Ref): boolean;

  protected row(ref: Ref): Row | undefined {
    const { db } = this.context;
    return 'id' in ref ? rowById(db, this.resource.name, ref.id) : rowBySlug(db, this.resource.name, ref.slug);
  }

  protected noSuch(ref: Ref): Record<string, Fault> {
    const kind = withArticle(this.resource.kind);
    return 'id' in ref
      ? { id: { reason: `${refText(ref)} is not the ID of ${kind}` } }
      : { slug: { reason: `${JSON.stringify(ref.slug)} is not the slug of ${kind}` } };
  }
}

/** True if a text is what a stored one with marks of blocks shows. */
const isShownOf = (text: unknown, stored: unknown): boolean =>
  isMarked(stored) && !isMarked(text) && renderContent(String(text)) === renderContent(String(stored));

/** True if a copy may have an empty value of a field. */
const mayBeEmpty = ({ required, nothing }: Field): boolean => !required || !nothing.isRefused;

/** A record as JSON without schema.org data, which only single reads show. */
const comparable = (record: Input): Input =>
  JSON.parse(JSON.stringify(record, (name, value: unknown) => (name === 'json_ld' ? undefined : value)));

/** The failure of a viewer without a permission: 401 for a visitor, 403 for a user. */
export const forbidden = ({ request }: StoreContext, what: string): Failure =>
  new Failure(
    'rest_forbidden',
    `${request.viewer.name ? `User ${JSON.stringify(request.viewer.name)} is` : 'Visitors are'} not allowed to ${what}`,
    undefined,
    {},
    request.viewer.role === 'anonymous' ? 401 : 403,
  );
