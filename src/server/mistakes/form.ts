import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { type Fault, invalidParams } from '../../model/error.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { type Doubt, doubt, mistakeText } from '../../model/mistakes/table.ts';
import type { Action } from '../../model/routes.ts';
import { isZone } from '../../model/time/zone.ts';
import { listNames, unknownNames, unknownReason } from '../../model/unknown-names.ts';
import { ignoredType, isJsonForm } from '../body.ts';
import type { Call } from '../http.ts';

/** A mistake in a part of a request. */
interface PartMistake extends Doubt {
  /** The parameter or field. */
  name: string;
  /** The sentence of the hint; by default the name and the reason. */
  hint?: string;
}

/** Notes the mistakes of form in a request for an action, or rejects it on a strict server. `before` is the record that it updates, if its dates depend on that. Throws `rest_invalid_param`. */
export function checkForm(call: Call, resource: ResourceName, action: Action, input: Input = call.query, before?: Entry): void {
  const names = nameMistakes(call, resource, action, input);
  const values = [...repeats(call), ...(action === 'list' ? listMistakes : writeMistakes)(call, resource, action, input, before)];
  const { strict } = call.options;
  // Own calls mean what they send: a Date of JavaScript, or a page that is too large to learn the limit.
  const rejected = strict ? [...names, ...(strict === 'names' || call.request.isOurs ? [] : values)] : [];
  if (rejected.length) throw invalidParams(Object.fromEntries(rejected.map(({ name, reason }): [string, Fault] => [name, { reason }])));
  // The name of a form that is JSON is the whole text.
  for (const { rule, name, reason, hint = `${name}: ${reason}` } of [...names, ...values])
    if (!name.startsWith('{')) call.mistakes.push({ rule, text: hint });
}

/** The names that an action ignores. */
function nameMistakes({ query, service }: Call, resource: ResourceName, action: Action, input: Input): PartMistake[] {
  return unknownNames(service.resources(), resource, action, input).map((unknown) => {
    const { name, suggestion = '' } = unknown;
    const hint = mistakeText('unknown-name', Object.hasOwn(query, name) ? 'parameter' : 'field', name, suggestion);
    return { rule: 'unknown-name', name, reason: unknownReason(unknown), hint };
  });
}

/** The parameters that a query repeats: as in PHP, the last value is used. */
function repeats({ request }: Call): PartMistake[] {
  if (!request.query.includes('&')) return [];
  const names = request.query.split('&').map((pair) => percentDecoded(pair.split('=', 1)[0]!));
  const repeated = new Set(names.filter((name, at) => name !== '' && !name.endsWith(']') && names.indexOf(name) < at));
  return [...repeated].map((name) => {
    const reason = mistakeText('repeated-parameter', name);
    return { rule: 'repeated-parameter', name, reason, hint: reason };
  });
}

function listMistakes({ query, service }: Call, name: ResourceName): PartMistake[] {
  const { list }: Resource = service.resources()[name];
  const ctx = service.requestContext();
  const checked = list.parameters.filter((each) => each.doubts && query[each.name] !== undefined);
  const values = checked.flatMap((each) => each.doubts!(query[each.name], ctx, ctx.zone).map((found) => ({ ...found, name: each.name })));
  const together = list.filters.flatMap(({ doubts }) => Object.entries(doubts?.(query, ctx) ?? {}));
  const grouped = together.flatMap(([parameter, found]) => found.map((each) => ({ ...each, name: parameter })));
  const sorting = listNames.filter((each) => query[each] !== undefined && !list.parameters.some((parameter) => parameter.name === each));
  return [...values, ...grouped, ...sorting.map((each) => ({ ...doubt('no-order', name), name: each }))];
}

function writeMistakes(call: Call, name: ResourceName, action: Action, input: Input, before: Entry | undefined): PartMistake[] {
  if (action !== 'create' && action !== 'update') return bodyMistakes(call);
  const { service, ref } = call;
  const { fields, doubts }: Resource = service.resources()[name];
  const ctx = service.requestContext();
  const zone = zoneOf(input, before) ?? ctx.zone;
  const values = fields.flatMap((field) =>
    field.doubts && (input[field.name] ?? undefined) !== undefined
      ? field.doubts(input[field.name], ctx, zone).map((found) => ({ ...found, name: field.name }))
      : [],
  );
  const together = Object.entries(doubts?.(input, ctx, zone, before) ?? {}).map(([field, found]) => ({ ...found, name: field }));
  const id = before?.id ?? (ref && 'id' in ref ? ref.id : undefined);
  const isId = typeof input.id === 'number' || typeof input.id === 'string';
  const isOther = action === 'update' && id !== undefined && isId && Number(input.id) !== id;
  return [
    ...bodyMistakes(call),
    ...values,
    ...together,
    ...(isOther ? [{ ...doubt('other-id', JSON.stringify(input.id), String(id)), name: 'id' }] : []),
  ];
}

/** The time zone that an input or the record before it names. */
const zoneOf = (input: Input, before: Entry | undefined): string | undefined =>
  [input.timezone, before?.timezone].find((zone): zone is string => typeof zone === 'string' && zone !== '' && isZone(zone));

/** True if the mistakes in an update depend on the record that it updates. */
export const needsRecord = ({ fields }: Resource, input: Input): boolean =>
  input.id !== undefined || fields.some(({ name, doubts, links }) => doubts && !links && typeof input[name] === 'string');

/** The mistake of a body whose type is not supported, or is that of a form although the body is JSON. */
function bodyMistakes({ request }: Call): PartMistake[] {
  const isForm = isJsonForm(request);
  const type = isForm ? 'form' : ignoredType(request);
  if (type === undefined) return [];
  const hint = mistakeText('ignored-body', type || 'missing');
  return [{ rule: 'ignored-body', name: 'body', reason: hint, hint }];
}
