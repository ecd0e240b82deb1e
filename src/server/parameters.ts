import type { Resource } from '../model/calendar.ts';
import { type Field, isKnown, type Wire } from '../model/fields/field.ts';
import type { ListParameter } from '../model/fields/list.ts';
import type { Action, Route } from '../model/routes.ts';
import type { DocumentContext } from './http.ts';

/** A parameter as documents describe it. */
export interface Parameter {
  name: string;
  about: string;
  wire: Wire;
  required: boolean;
  in: 'query' | 'path' | 'body';
  unindexed?: boolean;
}

const describe = (parameter: Field | ListParameter, place: Parameter['in'], required: boolean, ctx: DocumentContext): Parameter => ({
  name: parameter.name,
  about: parameter.about,
  wire: 'usual' in parameter && parameter.usual ? { ...parameter.wire, default: parameter.usual(ctx) } : parameter.wire,
  required,
  in: place,
  unindexed: parameter.unindexed,
});
const password: Parameter = {
  name: 'password',
  about: 'Password of the record',
  wire: { type: 'string' },
  required: false,
  in: 'query',
};

export function parametersOf(route: Route, action: Action, ctx: DocumentContext): Parameter[] {
  const resource: Resource = ctx.resources[route.resource];
  if (action === 'list') return resource.list.parameters.map((filter) => describe(filter, 'query', false, ctx));
  const enabled = resource.fields.filter((field) => isKnown(field, ctx));
  const fields = enabled.map((field) => describe(field, 'body', action === 'create' && field.required === true, ctx));
  if (action === 'create') return fields;
  const ownSlug = route.by === 'slug' && resource.fields.some((field) => field.name === 'slug');
  const target: Parameter =
    route.by === 'id'
      ? { name: 'id', about: `ID of the ${resource.kind}`, wire: { type: 'integer' }, required: true, in: 'path' }
      : {
          name: 'slug',
          about: `Slug of the ${resource.kind}`,
          wire: { type: 'string' },
          required: !(ownSlug && action === 'update'),
          in: 'path',
        };
  const key = resource.family === 'post' && !resource.isLinked && route.by === 'id' ? [password] : [];
  return action === 'update' ? [target, ...key, ...fields.filter(({ name }) => name !== target.name)] : [target, ...key];
}
