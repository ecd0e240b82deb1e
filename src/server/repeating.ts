import type { Answer, Request } from './handler.ts';

/** Answers are kept up to so many bytes; then all are given up. */
const mostBytes = 8 << 20;
/** Of so many requests it is remembered that they were asked once: only what is asked again is kept. */
const mostOnce = 500;

/** Headers that an answer to a read may depend on, besides the host. */
const telling = ['authorization', 'origin', 'if-none-match', 'x-wp-nonce', 'x-http-method-override'] as const;

/** Gives answers to the plain reads of visitors again, as long as the state is the same. */
export function repeating(
  answer: (request: Request) => Promise<Answer>,
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

  async function made(name: string, request: Request): Promise<Answer> {
    if (!once.has(name)) {
      if (once.size >= mostOnce) once.clear();
      once.add(name);
      return answer(request);
    }
    const asked = at;
    const given = await answer(request);
    if (given.status !== 200 || given.bytes === undefined || state() !== asked) return given;
    bytes += given.bytes.length;
    if (bytes > mostBytes) forget();
    known.set(name, given);
    return given;
  }
}
