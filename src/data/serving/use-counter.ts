import type { Response } from '../../server/http.ts';

/** Knows since when something is unused: a request that is handled and a stream that is open are uses. */
export class UseCounter {
  #active = 0;
  #last = performance.now();

  /** Time since the last use, in ms; 0 during one. */
  get idleMs(): number {
    return this.#active > 0 ? 0 : performance.now() - this.#last;
  }

  /** Counts work as a use until its response, or the stream in it, ends. */
  during(work: () => Response | Promise<Response>): Response | Promise<Response> {
    this.#active += 1;
    try {
      const response = work();
      if (!(response instanceof Promise)) return this.#until(response);
      return response.then(
        (response) => this.#until(response),
        (error) => {
          this.#end();
          throw error;
        },
      );
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #until(response: Response): Response {
    const { stream } = response;
    if (!stream) {
      this.#end();
      return response;
    }
    let isOpen = true;
    const stop = () => {
      if (isOpen) this.#end();
      isOpen = false;
      stream.stop();
    };
    return { ...response, stream: { ...stream, stop } };
  }

  #end(): void {
    this.#active -= 1;
    this.#last = performance.now();
  }
}
