import type { Answer, Request } from './handler.ts';

/** Answers are kept up to so many bytes; then all are given up. */
const mostBytes = 4 << 20;
/** Of so many requests it is remembered that they were asked once: only what is asked again is kept. */
const mostOnce = 500;

/** Headers that an answer to a read may depend on, besides the host. */
const telling = ['authorization', 'origin', 'if-none-match', 'x-wp-nonce', 'x-http-method-override'] as const;

/** Gives answers to the plain reads of visitors again, as long as the state is the same. */
export function repeating(
  answer: (request: Request) => Answer | Promise<Answer>,
  state: () => unknown,
): (request: Request) => Answer | Promise<Answer> {
  const known = new Map<string, Answer>();
  const once = new Set<string>();
  let bytes = 0;
  let at: unknown;
  const forget = (): void => {
    known.clear();
    bytes = 0;
  };
  return (request) => {
    const { method, headers } = request;
    if (method !== 'GET' || telling.some((name) => headers[name] !== undefined)) return answer(request);
    const now = state();
    if (now !== at) forget();
    at = now;
    const name = `${headers.host} ${request.path}?${request.query}`;
    return known.get(name) ?? made(name, request);
  };

  function made(name: string, request: Request): Answer | Promise<Answer> {
    const given = answer(request);
    if (!once.has(name)) {
      if (once.size >= mostOnce) once.clear();
      once.add(name);
      return given;
    }
    // What is ready in pieces was answered at once, from the state as it is.
    if (given instanceof Promise || given.status !== 200 || given.pieces === undefined) return given;
    const content = Buffer.concat(given.pieces);
    given.pieces = [content];
    bytes += content.length;
    if (bytes > mostBytes) forget();
    known.set(name, given);
    return given;
  }
}
