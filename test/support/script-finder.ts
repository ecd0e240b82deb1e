import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** Elements that run nothing, load no document and change how nothing else is read. Those in answers are among them. */
const harmless = new Set(
  (
    'a abbr acronym address area article aside audio b bdo big blockquote br button caption cite code col colgroup dd del details dfn div dl dt ' +
    'em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd label legend li main map mark menu nav ol p pre ' +
    'q rb rp rt rtc ruby s samp section small span strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt u ul ' +
    'var video html head body'
  ).split(' '),
);
const addresses = /^(?:href|src|srcset|action|formaction|cite|longdesc|poster|background|data|ping|manifest|xlink:href)$/;
const safe = /^(?:https?|ftps?|mailto|news|ircs?6?|gopher|nntp|feed|telnet|mms|rtsp|sms|svn|tel|fax|xmpp|webcal|urn):$/;

/** True if a browser would run the address as a script. */
function runs(address: string): boolean {
  return URL.canParse(address, 'http://base.test/') && !safe.test(new URL(address, 'http://base.test/').protocol);
}

function* nodesIn(node: Node): Generator<Node> {
  yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* nodesIn(child);
  if ('content' in node) yield* nodesIn(node.content);
}

/** Describes the elements and attributes that could run a script in HTML, parsed as a fragment and as a page. */
export function scriptsIn(html: string): string[] {
  const found: string[] = [];
  const withoutScripting = parseFragment(html, { scriptingEnabled: false });
  for (const tree of [parseFragment(html), withoutScripting, parse(`<!doctype html><div>${html}</div>`), parse(html)])
    for (const node of nodesIn(tree)) {
      if (!('tagName' in node)) continue;
      if (!harmless.has(node.tagName) || !node.namespaceURI.endsWith('/xhtml')) found.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) {
        if (/^on|^srcdoc$|^xmlns/.test(name)) found.push(`${node.tagName} ${name}=${value}`);
        if (addresses.test(name) && value.split(name === 'srcset' ? ',' : '\0').some(runs)) found.push(`${node.tagName} ${name}=${value}`);
        if (name === 'style' && /expression|url\s*\(|behavior|binding|import|javascript/i.test(value))
          found.push(`${node.tagName} ${name}=${value}`);
      }
    }
  return [...new Set(found)];
}
