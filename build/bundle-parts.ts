import { brotliCompressSync } from 'node:zlib';

/** Start and end of a part in the text after the index or, with the name of an archive, in the bytes of that archive. */
type Place = [start: number, end: number, archive?: string];

/** Length above which code is compressed even if frequent commands load it. */
const maxPlain = 60_000;

/** Length above which code is compressed separately instead of in an archive. */
const maxArchived = 30_000;

/** The parts of the bundle, which are comments in its last function: an index, then a line for each part. bin/loader.ts reads them. */
export class BundleParts {
  readonly #code = new Map<string, string>();
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #archives = new Map<string, Map<string, Uint8Array>>();

  /** Adds code, which is not compressed. */
  addCode(name: string, code: string): void {
    this.#code.set(name, code);
  }

  /** Compresses code, except small parts of frequent commands, which take longer to unpack than to read. */
  compressAllExcept(names: ReadonlySet<string>): void {
    for (const [name, code] of this.#code)
      if (!names.has(name) || code.length > maxPlain) {
        this.#code.delete(name);
        if (code.length > maxArchived) this.#bytes.set(name, Buffer.from(code));
        else this.#archive('code', name, Buffer.from(code));
      }
  }

  /** Adds bytes, which are compressed, in an archive if one is named. Returns the expression that loads them. */
  addBytes(name: string, bytes: Uint8Array, archive?: string): string {
    if (archive === undefined) this.#bytes.set(`part:${name}`, bytes);
    else this.#archive(archive, `part:${name}`, bytes);
    return `require('part:${name}')`;
  }

  #archive(archive: string, name: string, bytes: Uint8Array): void {
    const members = this.#archives.get(archive) ?? new Map<string, Uint8Array>();
    this.#archives.set(archive, members.set(name, bytes));
  }

  get count(): number {
    return this.#code.size + this.#bytes.size + [...this.#archives.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns the comments. The order of parts does not depend on the order in which they were added, so that builds are reproducible. */
  lines(): string {
    const index: Record<string, Place> = {};
    const lines: string[] = [];
    let size = 0;
    const add = (name: string, text: string): void => {
      index[name] = [size + 2, size + 2 + text.length];
      size += text.length + 3;
      lines.push(text);
    };
    for (const [name, code] of sorted(this.#code)) add(name, JSON.stringify(code));
    for (const [name, bytes] of sorted(this.#bytes)) add(name, compressed(bytes));
    for (const [archive, members] of sorted(this.#archives)) {
      let start = 0;
      for (const [name, { length }] of sorted(members)) {
        index[name] = [start, start + length, `archive:${archive}`];
        start += length;
      }
      add(`archive:${archive}`, compressed(Buffer.concat(sorted(members).map(([, bytes]) => bytes))));
    }
    return [JSON.stringify(index), ...lines].map((line) => `//${line}\n`).join('');
  }
}

const compressed = (bytes: Uint8Array): string => brotliCompressSync(bytes).toString('base64');
const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
