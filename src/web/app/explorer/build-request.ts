import type { ApiOperation } from './document.ts';
import type { ApiRequest } from './request.ts';

/** The input of an operation's form: values by parameter, and the text of the body. */
export interface FormInput {
  values: Readonly<Record<string, string>>;
  body: string;
}

/** Builds the request from the input of a form. */
export function buildRequest({ method, root, path, parameters, body }: ApiOperation, input: FormInput): ApiRequest {
  const filled = parameters.map((parameter) => ({ ...parameter, value: input.values[parameter.name] ?? '' }));
  const query = new URLSearchParams(filled.filter((each) => each.in === 'query' && each.value).map(({ name, value }) => [name, value]));
  const queryString = String(query).replaceAll('%2C', ',');
  const target = path.replace(/\{(\w+)\}/g, (variable, name) => encodeURIComponent(input.values[name] ?? '') || variable);
  const headers = Object.fromEntries(filled.filter((each) => each.in === 'header' && each.value).map(({ name, value }) => [name, value]));
  const hasBody = body !== undefined && input.body.trim() !== '';
  const fullPath = target === '/' ? root || '/' : root + target;
  return {
    method,
    path: `${fullPath}${queryString && `?${queryString}`}`,
    // Without this header the root of the site returns the page.
    headers: {
      ...(fullPath === '/' && { Accept: 'application/json' }),
      ...headers,
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: input.body }),
  };
}
