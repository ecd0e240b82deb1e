import { options } from 'preact';
import { worldHeader } from '../../../model/addresses.ts';
import { context } from '../context.ts';

const { prefix, world } = context;

/** An address without the prefix of the page and its world. The page uses such addresses internally. */
export const withoutPrefix = (address: string): string =>
  prefix !== '' && (address === prefix || address.startsWith(`${prefix}/`)) ? address.slice(prefix.length) || '/' : address;

const withPrefix = (address: string): string => (address.startsWith('/') ? prefix + withoutPrefix(address) : address);

/** Makes links, requests and the history of the page stay below its prefix, and in its world. */
export function stayInWorld(): void {
  if (world === null && prefix === '') return;
  const send = window.fetch;
  window.fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (world !== null) headers.set(worldHeader, world);
    return send(typeof input === 'string' ? withPrefix(input) : input, { ...init, headers });
  };
  if (prefix === '') return;
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
