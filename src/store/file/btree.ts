/** A table or an index of a database file, and the page its tree starts on. */
export interface Tree {
  name: string;
  type: 'table' | 'index';
  root: number;
}

/** Returns the tree of each page. Pages that no readable page leads to are missing. */
export function ownersOf(database: Uint8Array, pageSize: number, trees: readonly Tree[]): Map<number, Tree> {
  const view = Buffer.from(database.buffer, database.byteOffset, database.byteLength);
  const count = Math.floor(view.length / pageSize);
  const owners = new Map<number, Tree>();
  for (const tree of trees) {
    const pending = [tree.root];
    for (let page = pending.pop(); page !== undefined; page = pending.pop()) {
      if (page < 1 || page > count || owners.has(page)) continue;
      owners.set(page, tree);
      try {
        pending.push(...childrenOf(view.subarray((page - 1) * pageSize, page * pageSize), page === 1 ? 100 : 0, pageSize - view[20]!));
      } catch {
        // The page is unreadable; its children stay unknown.
      }
      for (let next = pending.at(-1); next !== undefined && next < 0; next = pending.at(-1)) {
        pending.pop();
        for (let over = -next; over >= 1 && over <= count && !owners.has(over); over = view.readUInt32BE((over - 1) * pageSize))
          owners.set(over, tree);
      }
    }
  }
  return owners;
}

const interiorIndex = 2;
const interiorTable = 5;
const leafIndex = 10;
const leafTable = 13;

/** Returns the pages that a page refers to: children, then the first pages of overflow chains as negative numbers. */
function childrenOf(page: Buffer, header: number, usable: number): number[] {
  const type = page[header]!;
  if (![interiorIndex, interiorTable, leafIndex, leafTable].includes(type)) return [];
  const interior = type === interiorIndex || type === interiorTable;
  const cells = page.readUInt16BE(header + 3);
  const children: number[] = interior ? [page.readUInt32BE(header + 8)] : [];
  const chains: number[] = [];
  for (let i = 0; i < cells; i += 1) {
    let at = page.readUInt16BE(header + (interior ? 12 : 8) + 2 * i);
    if (interior) children.push(page.readUInt32BE(at));
    if (type === interiorTable) continue;
    if (interior) at += 4;
    const [payload, size] = varint(page, at);
    at += size;
    if (type === leafTable) at += varint(page, at)[1];
    const max = type === leafTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (payload <= max) continue;
    const min = Math.floor(((usable - 12) * 32) / 255) - 23;
    const here = min + ((payload - min) % (usable - 4));
    chains.push(-page.readUInt32BE(at + (here <= max ? here : min)));
  }
  return [...children, ...chains];
}

function varint(page: Buffer, at: number): [value: number, size: number] {
  let value = 0;
  for (let i = 0; i < 8; i += 1) {
    const byte = page.readUInt8(at + i);
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, i + 1];
  }
  return [value * 256 + page.readUInt8(at + 8), 9];
}
