import { options } from 'preact';
import { isControl, worldHeader } from '../../../model/addresses.ts';
import { context } from '../context.ts';

const { prefix, folder, world } = context;

const without = (start: string, address: string): string =>
  start !== '' && (address === start || address.startsWith(`${start}/`)) ? address.slice(start.length) || '/' : address;

/** An address without the prefix of the page and its world, and without the folder of the site. The page uses such addresses internally. */
export const withoutPrefix = (address: string): string => without(folder, without(prefix, address));

/** Only tools and the control API are not in the folder of the site. */
function withPrefix(address: string): string {
  if (!address.startsWith('/')) return address;
  const path = withoutPrefix(address);
  return `${prefix}${isControl(path.replace(/\?.*/, '')) ? '' : folder}${path}`;
}

/** Makes links, requests and the history of the page stay below its prefix, and in its world. */
export function stayInWorld(): void {
  if (world === null && prefix === '' && folder === '') return;
  const send = window.fetch;
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (world !== null) headers.set(worldHeader, world);
    return send(typeof input === 'string' ? withPrefix(input) : input, { ...init, headers });
  };
  if (prefix === '' && folder === '') return;
  const { vnode: before } = options;
  options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown };
    if (vnode.type === 'a' && typeof props.href === 'string') props.href = withPrefix(props.href);
    before?.(vnode);
  };
  const { pushState, replaceState } = history;
  const inWorld = (change: typeof pushState): typeof pushState =>
    function (this: History, state, title, url) {
      change.call(this, state, title, typeof url === 'string' ? withPrefix(url) : url);
    };
  history.pushState = inWorld(pushState);
  history.replaceState = inWorld(replaceState);
}
