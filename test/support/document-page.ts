import { setTimeout as sleep } from 'node:timers/promises';
import { type Element, type HTMLElement, type HTMLInputElement, Window } from 'happy-dom';
import { EventSource } from 'undici';
import { compileApp } from '../../src/web/compile.ts';
import { type ServedPage, servedPage } from './browser.ts';
import { limit } from './timeouts.ts';

/** A channel of a window that is the only one. */
class Channel {
  addEventListener() {}
  postMessage() {}
  close() {}
}

let script: Promise<string> | undefined;
const compiled = async () => Buffer.from((await compileApp()).files.find(({ name }) => name.endsWith('.js'))!.bytes).toString();

/** Elements that begin a line. */
const blocks = /^(H\d|P|LI|TR|DT|DD|BUTTON|A|LABEL|SUMMARY|INPUT|SELECT|TEXTAREA|OPTION|LEGEND|CAPTION|FIGURE|PRE|DIALOG|FORM|SECTION)$/;

/** The texts of an element, a line for each block, with names, values and states of controls. */
function linesOf(element: Element): string[] {
  const lines = [''];
  const visit = (node: Element) => {
    const { tagName } = node;
    if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|svg)$/i.test(tagName) || node.hasAttribute('hidden')) return;
    const isBlock = blocks.test(tagName);
    if (isBlock) lines.push('');
    const marks = [...node.attributes]
      .filter(({ name }) =>
        /^(aria-(label|pressed|current|selected|expanded|invalid|busy|disabled)|disabled|open|href|placeholder)$/.test(name),
      )
      .map(({ name, value }) => (value === '' ? name : `${name}=${value}`));
    const { type, value, checked } = node as HTMLInputElement;
    if (tagName === 'INPUT') marks.push(type === 'checkbox' || type === 'radio' ? `${type} ${checked ? 'on' : 'off'}` : `= ${value}`);
    if (tagName === 'SELECT' || tagName === 'TEXTAREA') marks.push(`= ${value}`);
    if (marks.length) lines[lines.length - 1] += ` [${marks.join(' ')}]`;
    for (const child of node.childNodes) {
      if (child.nodeType === 3) lines[lines.length - 1] += ` ${child.textContent}`;
      else if (child.nodeType === 1) visit(child as Element);
    }
    if (isBlock) lines.push('');
  };
  visit(element);
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
}

/** The page of a calendar in a document without a browser: it runs its script, but has no layout. */
export class DocumentPage {
  private constructor(
    readonly calendar: ServedPage,
    readonly window: Window,
    /** Errors of the script. */
    readonly errors: unknown[],
    /** The number of requests without a response, and that of responses and changes of the document. */
    private readonly activity: { requests: number; changes: number },
  ) {}

  /** Serves a calendar with a seed, and opens its page. */
  static async open(seed: string, now: string): Promise<DocumentPage> {
    script ??= compiled();
    const [text, calendar] = await Promise.all([script, servedPage(seed, { now: Date.parse(now) })]);
    const window = new Window({
      url: `${calendar.url}/`,
      width: 1440,
      height: 860,
      settings: {
        disableCSSFileLoading: true,
        disableJavaScriptFileLoading: true,
        enableJavaScriptEvaluation: true,
        suppressInsecureJavaScriptEnvironmentWarning: true,
      },
    });
    const errors: unknown[] = [];
    window.addEventListener('error', (event) => void errors.push((event as unknown as { error: unknown }).error));
    // Those of Node, since happy-dom has none.
    class Events extends EventSource {
      constructor(address: string) {
        super(new URL(address, calendar.url).href);
      }
    }
    Object.assign(window, { BroadcastChannel: Channel, EventSource: Events, TextDecoderStream });
    const activity = { requests: 0, changes: 0 };
    const { fetch: send } = window;
    window.fetch = async (...args) => {
      activity.requests += 1;
      try {
        return await send.apply(window, args);
      } finally {
        activity.requests -= 1;
        activity.changes += 1;
      }
    };
    window.document.write(await (await fetch(`${calendar.url}/`)).text());
    // Without a layout, tables and months have room for some rows.
    const lengths: Record<string, number> = { row: 36, 'number-height': 20, 'lane-height': 22, 'double-lane-height': 38, 'layer-gap': 4 };
    const style = { getPropertyValue: (name: string) => `${lengths[name.slice(2)] ?? ''}px` };
    window.getComputedStyle = () => style as ReturnType<Window['getComputedStyle']>;
    Object.defineProperty(window.HTMLElement.prototype, 'clientHeight', { get: () => 600 });
    window.eval(text);
    const observer = new window.MutationObserver(() => {
      activity.changes += 1;
    });
    observer.observe(window.document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    const page = new DocumentPage(calendar, window, errors, activity);
    await page.settled();
    return page;
  }

  async close(): Promise<void> {
    await this.window.happyDOM.close();
    await this.calendar.close();
  }

  /** Waits until the page loads nothing, and changes no more. */
  async settled(): Promise<void> {
    const { document } = this.window;
    // A busy machine gives each turn less.
    for (let quietTurns = 0; quietTurns < 6; ) {
      const { changes } = this.activity;
      await sleep(3);
      const isQuiet = changes === this.activity.changes && this.activity.requests === 0 && !document.querySelector('[aria-busy="true"]');
      quietTurns = isQuiet ? quietTurns + 1 : 0;
    }
  }

  /** The texts of what a selector finds, or of the view. */
  texts(selector = 'main'): string[] {
    const elements = [...this.window.document.querySelectorAll(selector)];
    const { origin } = new URL(this.calendar.url);
    return elements.flatMap(linesOf).map((line) => line.replaceAll(origin, 'ORIGIN').replace(/^\d+ s$/, 'N s'));
  }

  async go(address: string): Promise<void> {
    const link = this.window.document.createElement('a');
    link.href = address;
    this.window.document.body.append(link);
    link.click();
    link.remove();
    await this.settled();
  }

  /** The first element that a selector finds, or a button or link with a name. Waits until there is one. */
  async find(name: string): Promise<HTMLElement> {
    const { document } = this.window;
    const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent.replace(/\s+/g, ' ').trim();
    const named = () => [...document.querySelectorAll('button, a, summary, label')].find((each) => nameOf(each) === name);
    for (const start = performance.now(); ; await sleep(10)) {
      const element = /[#.[]/.test(name) ? document.querySelector(name) : named();
      if (element) return element as HTMLElement;
      if (performance.now() - start > limit(2000)) throw new Error(`Nothing is at ${name}:\n${this.texts('body').join('\n')}`);
    }
  }

  async press(name: string): Promise<void> {
    (await this.find(name)).click();
    await this.settled();
  }

  async type(selector: string, value: string): Promise<void> {
    const control = (await this.find(selector)) as HTMLInputElement;
    control.focus();
    control.value = value;
    for (const type of ['input', 'change']) control.dispatchEvent(new this.window.Event(type, { bubbles: true }));
    await this.settled();
  }

  async key(key: string, more: object = {}): Promise<void> {
    const target = this.window.document.activeElement ?? this.window.document.body;
    target.dispatchEvent(new this.window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
    await this.settled();
  }
}
