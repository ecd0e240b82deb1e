import type { Resource, ResourceName, Row } from '../model/calendar.ts';
import type { RequestContext } from '../model/context.ts';
import { Failure } from '../model/error.ts';
import { declaredPart, extraColumn, parseExtra } from '../model/fields/extra.ts';
import type { Field } from '../model/fields/field.ts';
import { checkDeclarations, type Declarations, joined, resourcesWith } from '../model/resources/declared.ts';
import { resourceNames } from '../model/resources/names.ts';
import type { Settings } from './records/settings.ts';
import type { Database } from './sqlite/sql.ts';

interface Parts {
  db: Database;
  settings: Settings;
  request: RequestContext;
}

/**
 * Declares fields, and moves values that records have from another site to those of the fields. Returns whether there are new ones. Throws `conflict`
 * for a different declaration of the same field and for a value that the field doesn't accept.
 */
export function declareFields({ db, settings, request }: Parts, more: Declarations): boolean {
  checkDeclarations(more);
  const before = settings.fields;
  const after = joined(before, more);
  checkDeclarations(after);
  const resources = resourcesWith(after);
  let isChanged = false;
  for (const name of resourceNames) {
    const added = (resources[name] as Resource).fields.filter((field) => field.isDeclared && !before[name]?.[field.name]);
    if (!added.length) continue;
    isChanged = true;
    for (const row of rowsWithExtra(db, name)) adopt(db, name, row, added, request);
  }
  if (isChanged) settings.setFields(after);
  return isChanged;
}

/** Removes a declared field and its values. Throws `not-found` for an unknown one. */
export function removeField({ db, settings }: Omit<Parts, 'request'>, resource: ResourceName, name: string): void {
  const { [name]: declaration, ...others } = settings.fields[resource] ?? {};
  if (!declaration) {
    const names = Object.keys(others);
    const hint = names.length
      ? `Declared fields of ${resource} are ${names.join(', ')}.`
      : `The calendar declares no fields of ${resource}.`;
    throw new Failure('not-found', `${JSON.stringify(name)} is not a declared field of ${resource}`, hint);
  }
  settings.setFields({ ...settings.fields, [resource]: others });
  for (const row of rowsWithExtra(db, resource)) {
    const { [declaredPart]: { [name]: removed, ...values } = {}, ...extra } = parseExtra(row.extra);
    if (removed !== undefined) store(db, resource, row, Object.keys(values).length ? { ...extra, [declaredPart]: values } : extra);
  }
}

const rowsWithExtra = (db: Database, name: ResourceName): Row[] => db.all<Row>(`select id, extra from ${name} where extra <> ''`);

const store = (db: Database, name: ResourceName, row: Row, extra: object) =>
  db.run(`update ${name} set extra = ? where id = ?`, extraColumn(extra), row.id!);

/** Moves the values of new fields from the members that another site added. Lists take precedence. */
function adopt(db: Database, name: ResourceName, row: Row, fields: readonly Field[], request: RequestContext): void {
  const extra = parseExtra(row.extra);
  const values = { ...extra[declaredPart] };
  let isChanged = false;
  for (const field of fields) {
    const source = ['list', 'single', 'embedded'].find((form) => extra[form]?.[field.name] !== undefined);
    if (!source) continue;
    isChanged = true;
    const value = field.compared.input(extra[source]![field.name], { id: Number(row.id) });
    const fault = value === null ? undefined : field.check(value, request);
    if (fault !== undefined)
      throw new Failure(
        'conflict',
        `${name} ${row.id} has the ${field.name} ${JSON.stringify(value)}, which ${fault}`,
        'Declare another type.',
      );
    const stored = field.stored.value!(value, request);
    if (stored !== (field.stored.column!.default ?? null)) values[field.name] = stored;
    for (const form of Object.keys(extra)) if (form !== declaredPart) delete extra[form]![field.name];
  }
  if (!isChanged) return;
  const forms = Object.entries({ ...extra, [declaredPart]: values }).filter(([, members]) => Object.keys(members).length);
  store(db, name, row, Object.fromEntries(forms));
}
