/**
 * What a person sees and a test of elements does not: run in a page, it returns each fault of its layout as `rule: text`. Boxes of events in a grid
 * (`chip`, `block`) may break words and hide lines, because their size is the length of the event; layout.long.test.ts checks their lines.
 */
(() => {
  const faults = [];
  const add = (rule, text) => faults.push(`${rule}: ${String(text).replace(/\s+/g, ' ').trim().slice(0, 80)}`);
  const inGrid = (element) => element.closest('.chip, .block') !== null;
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  /** An open dialog makes the rest of the page inert. */
  const isInert = (element) => dialog !== undefined && !dialog.contains(element);
  /** Computed colors are `rgb(…)`, or `rgba(…)` if they are not opaque. */
  const isOpaque = (style) => Number(/^rgba\(.*, ([\d.]+)\)$/.exec(style.backgroundColor)?.[1] ?? 1) > 0.98;
  const shown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  /** True for text that only screen readers get: it is clipped to a pixel. */
  const isUnseen = (element) => {
    if (element.closest('.unseen, .top-skip, option, script, style, noscript, title')) return true;
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
    return false;
  };

  // The rectangles of texts themselves: an element that is 0 px wide can show text.
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || isUnseen(element) || isInert(element) || !shown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes.length) texts.push({ node, element, boxes });
  }

  /** The part of a box that the scrollers and clips around an element show. */
  const visiblePart = (element, { left, top, right, bottom }) => {
    const part = {
      left: Math.max(left, 0),
      top: Math.max(top, 0),
      right: Math.min(right, innerWidth),
      bottom: Math.min(bottom, innerHeight),
    };
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflow === 'visible') {
        if (style.position === 'fixed') break;
        continue;
      }
      if (style.display === 'inline') continue;
      const box = at.getBoundingClientRect();
      part.left = Math.max(part.left, box.left);
      part.top = Math.max(part.top, box.top);
      part.right = Math.min(part.right, box.right);
      part.bottom = Math.min(part.bottom, box.bottom);
    }
    return part.right - part.left > 2 && part.bottom - part.top > 2 ? part : undefined;
  };

  // Words of at most 18 letters are on one line. Code and scripts without spaces break anywhere.
  for (const { node, element } of texts) {
    if (inGrid(element) || element.closest('pre, code')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length < 2 || word.length > 18 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word))
        continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set(
        [...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ top, height }) => Math.round(top / Math.max(8, height / 2))),
      );
      if (tops.size > 1) add('word broken', `${word} in ${element.textContent}`);
    }
  }

  // Text over text, unless the upper one has a background of its own.
  const lines = texts.flatMap(({ element, boxes }) =>
    boxes.flatMap((box) => {
      const part = visiblePart(element, box);
      return part ? [{ element, ...part }] : [];
    }),
  );
  /** Returns the background that an element has by itself or by an ancestor within `root`. */
  const hasBackground = (element, root) => {
    for (let at = element; at && at !== root; at = at.parentElement) if (isOpaque(getComputedStyle(at))) return true;
    return false;
  };
  const commonOf = (one, other) => {
    let at = one;
    while (!at.contains(other)) at = at.parentElement;
    return at;
  };
  lines.sort((one, other) => one.top - other.top);
  for (const [index, one] of lines.entries())
    for (let next = index + 1; next < lines.length && lines[next].top < one.bottom - 3; next++) {
      const other = lines[next];
      if (one.element === other.element) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width < 4 || height < 4) continue;
      const root = commonOf(one.element, other.element);
      if (hasBackground(one.element, root) || hasBackground(other.element, root)) continue;
      add('text over text', `${one.element.textContent} / ${other.element.textContent}`);
    }

  // Text that an opaque box covers, other than a sticky one or a menu.
  for (const line of lines) {
    const [x, y] = [(line.left + line.right) / 2, (line.top + line.bottom) / 2];
    const top = document.elementFromPoint(x, y);
    // What takes no pointer is not among the elements at a point.
    if (getComputedStyle(line.element).pointerEvents === 'none') continue;
    if (!top || top.contains(line.element) || line.element.contains(top) || inGrid(line.element)) continue;
    const root = commonOf(top, line.element);
    for (let at = top; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === 'sticky' || at.closest('.menu-items, [role="listbox"], .toast, dialog')) break;
      if (isOpaque(style)) {
        add('behind something', line.element.textContent);
        break;
      }
    }
  }

  // Text that is cut shows an ellipsis, or can be scrolled to.
  for (const element of document.querySelectorAll('body *')) {
    if (isInert(element) || isUnseen(element) || inGrid(element) || !shown(element) || !element.textContent.trim()) continue;
    const style = getComputedStyle(element);
    if (element.clientWidth <= 1 || /inline$|contents/.test(style.display)) continue;
    const hides = (value) => value === 'hidden' || value === 'clip';
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const isEllipsis = style.textOverflow === 'ellipsis' || Number(style.webkitLineClamp) > 0;
    if (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && hasText && !isEllipsis) add('cut', element.textContent);
    if (
      hides(style.overflowY) &&
      element.scrollHeight > element.clientHeight + 2 &&
      hasText &&
      !isEllipsis &&
      style.textOverflow !== 'ellipsis'
    )
      add('cut', element.textContent);
    const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll';
    if (scrolls && element.scrollWidth > element.clientWidth + 1 && style.scrollbarWidth === 'none' && style.maskImage === 'none')
      add('scrolls without showing it', element.className || element.tagName);
  }
  if (document.documentElement.scrollWidth > innerWidth)
    add('page scrolls sideways', `${document.documentElement.scrollWidth} > ${innerWidth}`);

  // Layers are in the window, and as high as their text needs; a list of short entries scrolls.
  for (const layer of document.querySelectorAll('dialog[open], .menu-items, [role="listbox"]')) {
    if (!shown(layer)) continue;
    const { left, top, right, bottom, height } = layer.getBoundingClientRect();
    const name = layer.getAttribute('aria-label') ?? layer.className;
    if (left < -0.5 || right > innerWidth + 0.5 || (layer.matches('dialog') && (top < -0.5 || bottom > innerHeight + 0.5)))
      add('layer outside', name);
    if (
      Math.max(height, layer.scrollHeight) > 1.5 * innerHeight &&
      layer.innerText.length < 600 &&
      layer.querySelectorAll('li').length < 12
    )
      add('layer too high', name);
  }

  // Controls of 24 px; links within text may be smaller (WCAG 2.5.8). A label belongs to its control.
  for (const control of document.querySelectorAll('a[href], button, input, select, summary')) {
    if (isInert(control) || isUnseen(control) || !shown(control) || getComputedStyle(control).display === 'inline') continue;
    const boxes = [control, control.closest('label')].filter(Boolean).map((each) => each.getBoundingClientRect());
    if (boxes[0].width > 0 && ['width', 'height'].some((side) => Math.max(...boxes.map((box) => box[side])) < 23.9))
      add('target under 24 px', control.outerHTML);
  }
  return [...new Set(faults)];
})();
