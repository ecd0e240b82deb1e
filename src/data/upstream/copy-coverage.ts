import type { Ref, ResourceName } from '../../model/calendar.ts';
import type { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { isTerms } from '../../model/resources/names.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { ActionCall } from '../../server/actions.ts';
import type { CoverageRow } from '../../store/identity/upstream-state.ts';
import { type Covered, coveredBy, coversAll, rowFor, type Selection, selectionOf, wholeSelection } from './coverage.ts';
import type { SiteCopy } from './site-copy.ts';

/** Returns what of requests a copy covers. */
export class CopyCoverage {
  constructor(
    private readonly copy: SiteCopy,
    private readonly system: () => number,
  ) {}

  /** Returns the lists that a viewer sees. Callers with an account here also see what a user of the site sees. */
  #rowsFor(viewer: Viewer): CoverageRow[] {
    const rows = this.copy.state.coverage();
    return viewer.role === 'anonymous' ? rows.filter((row) => row.viewer === 'public') : rows;
  }

  /** Returns whether an error is only about records that the copy may lack. */
  mayBeWrong({ action, route, service, viewer }: ActionCall, { code, status, data }: Failure, { isComplete }: Covered): boolean {
    if (status >= 500) return false;
    const rows = this.#rowsFor(viewer);
    if (code.endsWith('archive-page-not-found')) return !isComplete;
    // Lists of posts contain neither drafts nor hidden events, so only those of terms show that a record doesn't exist.
    const isUnsure = (name: ResourceName) => !isTerms(name) || !coversAll(rows, name);
    // A record that visitors did not see may be published now.
    if (code === 'rest-event-not-found' || code.endsWith('-not-accessible')) return true;
    if (code !== 'rest_invalid_param' || !isObject(data.params)) return false;
    const names = Object.keys(data.params);
    if (action === 'get') return names.some((name) => name === 'id' || name === 'slug') && isUnsure(route.resource);
    const { parameters } = service.resources()[route.resource].list;
    const linked = parameters.filter(({ name, links }) => links && names.includes(name)).map(({ links }) => links as ResourceName);
    return linked.some(isUnsure);
  }

  /** Returns whether a list asks for records that visitors don't see, which the copy has for this caller. */
  needsUser(call: ActionCall): boolean {
    const { viewer, action, route, query } = call;
    if (viewer.role === 'anonymous' || action !== 'list' || isTerms(route.resource) || query.status === undefined) return false;
    return this.copy.state.hasUserView && (this.selectionOf(call)?.statuses.some((status) => status !== 'publish') ?? false);
  }

  /** Returns whether the copy has a record that only callers like this one see. */
  isHiddenFromVisitors({ viewer, ref, route: { resource } }: ActionCall): boolean {
    const id = this.#idOf(resource, ref, viewer);
    return viewer.role !== 'anonymous' && id !== undefined && this.copy.state.isHidden(resource, id);
  }

  #idOf(resource: ResourceName, ref: Ref | undefined, viewer: Viewer): number | undefined {
    if (!ref || 'id' in ref) return ref?.id;
    return this.copy.store.local(viewer, this.copy.addresses).idBy(resource, 'slug', ref.slug);
  }

  /** Returns whether the copy covers a read, and is not older than a time. */
  isFresh(call: ActionCall, maxAgeMs: number): boolean {
    const { isComplete, asOf } = this.of(call);
    return isComplete && asOf !== undefined && this.system() - Date.parse(asOf) <= maxAgeMs;
  }

  /** Returns what a list selects; undefined if its parameters are invalid or unknown. */
  selectionOf({ route, query, service, viewer }: ActionCall): Selection | undefined {
    try {
      return selectionOf(service.resources(), route.resource, query, { ...service.requestContext(), viewer });
    } catch {
      return undefined;
    }
  }

  /** Returns what of a read the copy has. */
  of(call: ActionCall): Covered {
    const { route, action, ref, viewer } = call;
    const { state } = this.copy;
    const { resource } = route;
    const rows = this.#rowsFor(viewer);
    if (action === 'list') {
      const covered = coveredBy(rows, this.selectionOf(call), (name, id) => state.form(name, id, 'list') !== undefined);
      return { ...covered, asOf: covered.asOf ?? state.oldest(resource) };
    }
    const id = this.#idOf(resource, ref, viewer);
    if (id === undefined || (viewer.role === 'anonymous' && state.isHidden(resource, id))) return { complete: [], isComplete: false };
    const single = state.form(resource, id, 'single');
    const listed = state.form(resource, id, 'list');
    const whole = isTerms(resource) && !listed ? rowFor(rows, wholeSelection(resource)) : undefined;
    // The term does not exist.
    if (whole) return { complete: [resource], isComplete: true, asOf: whole.asOf };
    const isComplete =
      single !== undefined ||
      (listed !== undefined && (isTerms(resource) || rows.some((row) => row.resource === resource && row.hasSingles)));
    return { complete: isComplete ? [resource] : [], isComplete, asOf: (single ?? listed)?.asOf };
  }
}
