import { describe, expect, it } from 'vitest';
import { renderContent, renderExcerpt, renderTitle } from '../../../src/model/html/render.ts';
import { cleanHtml, cleanTermDescription, cleanTermName, cleanText, cleanTitle, escapeHtml } from '../../../src/model/html/sanitize.ts';

describe('renderTitle', () => {
  it.each([
    ['  Jazz Night \n', 'Jazz Night'],
    ["Don't panic", 'Don&#8217;t panic'],
    ['The "Blue" Room', 'The &#8220;Blue&#8221; Room'],
    ['"She said \'hi\' twice"', '&#8220;She said &#8216;hi&#8217; twice&#8221;'],
    ['"She said \'hi\'"', '&#8220;She said &#8216;hi&#8217;&#8221;'],
    ['("q")', '(&#8220;q&#8221;)'],
    ["Class of '99, and '05's", 'Class of &#8217;99, and &#8217;05&#8217;s'],
    ["'99'", '&#8217;99&#8217;'],
    ['"42"', '&#8220;42&#8221;'],
    ['6\' 2" high', '6&#8242; 2&#8243; high'],
    ['"Room 101"', '&#8220;Room 101&#8221;'],
    ["'twas 'round here", '&#8217;twas &#8217;round here'],
    ['say "', 'say &#8220;'],
    ["``old style''", '&#8220;old style&#8221;'],
    ['2026--2027', '2026&#8211;2027'],
    ['this -- that', 'this &#8212; that'],
    ['this---that', 'this&#8212;that'],
    ['Mon - Fri', 'Mon &#8211; Fri'],
    ['well-known xn--bcher', 'well-known xn--bcher'],
    ['and so on...', 'and so on&#8230;'],
    ['Brand (tm) (c)', 'Brand &#8482; (c)'],
    ['4x4 0x4 a2x3', '4&#215;4 0x4 a2x3'],
    ['You & me &amp; they &#38; &#x26;', 'You &#038; me &amp; they &#38; &#x26;'],
    ['&verylongname;', '&#038;verylongname;'],
    ['<i title="a--b">"x"</i>', '<i title="a--b">&#8220;x&#8221;</i>'],
    ['<a href="/?a&b">c</a>', '<a href="/?a&#038;b">c</a>'],
    ['<code>a--"b"</code> "c"', '<code>a--"b"</code> &#8220;c&#8221;'],
    ['<!-- "a" & b -->', '<!-- "a" & b -->'],
    ['a < "b"', 'a < "b"'],
  ])('%j', (raw, shown) => {
    expect(renderTitle(raw)).toBe(shown);
  });
});

describe('renderContent', () => {
  it.each([
    ['', ''],
    [' \n ', ''],
    ['One.', '<p>One.</p>'],
    ['One.\n\n\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
    ['\u00a0\n\u00a0\nTwo.', '<p>\u00a0<br />\n\u00a0<br />\nTwo.</p>'],
    ['One.\r\nTwo.', '<p>One.<br />\nTwo.</p>'],
    ['One.  \nTwo.', '<p>One.<br />\nTwo.</p>'],
    ['One.<br><br/>Two.', '<p>One.</p>\n<p>Two.</p>'],
    ['<p>One.</p>\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
    ['<h3>Head</h3>Text', '<h3>Head</h3>\n<p>Text</p>'],
    ['<ul><li>a</li><li>b</li></ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['<ul>\n<li>a\nb</li>\n</ul>', '<ul>\n<li>a<br />\nb</li>\n</ul>'],
    ['a\n<hr>\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['<div>a</div>', '<div>a</div>'],
    ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>'],
    ['x <pre>a\n\nb "c"</pre> y', '<p>x </p>\n<pre>a\n\nb "c"</pre>\n<p> y</p>'],
    ['<a\nhref="/x">y</a>', '<p><a\nhref="/x">y</a></p>'],
    ['<script>a\n\nb</script>', '<p><script>a\n\nb</script></p>'],
    ['<style>p {\n}</style>\nx', '<style>p {\n}</style>\n<p>x</p>'],
    ['<video>\n<source src="v">\n</video>', '<p><video><source src="v"></video></p>'],
    ['<figure>\n<figcaption>c</figcaption>\n</figure>', '<figure><figcaption>c</figcaption></figure>'],
    ['<img src="a.png">', '<p><img decoding="async" src="a.png"></p>'],
    ['<img decoding="sync" src="a.png">', '<p><img decoding="sync" src="a.png"></p>'],
    ['see [gallery ids="3"]', '<p>see </p>'],
    ['[other a="b"]', '<p>[other a=&#8221;b&#8221;]</p>'],
    ['Fun :-) <code>:)</code> a:)', '<p>Fun 🙂 <code>:)</code> a:)</p>'],
  ])('%j', (raw, shown) => {
    expect(renderContent(raw)).toBe(shown);
  });
});

it.each([
  ['Short "one"', '<p>Short &#8220;one&#8221;</p>'],
  ['[gallery ids="3"]', '<p>[gallery ids="3"]</p>'],
  ['', ''],
])('excerpt %j', (raw, shown) => {
  expect(renderExcerpt(raw)).toBe(shown);
});

describe('stored text', () => {
  it.each([
    ['<b>1</b> "Main" & Co ', '1 "Main" & Co'],
    ['a < b', 'a < b'],
    ['a <b', 'a'],
    ['<a title="x>y">z</a><!-- > -->', 'z'],
  ])('text %j', (raw, stored) => {
    expect(cleanText(raw)).toBe(stored);
  });

  it.each([
    ['<h2 class="a" onclick="b()">c</h2>', '<h2 class="a">c</h2>'],
    ['<script>x</script><iframe src="/"></iframe>', 'x'],
    ['<a href="javascript:x()" target="_blank">y</a>', '<a href="x()" target="_blank">y</a>'],
    ['<a href="java&#115;cript&colon;x()">y</a>', '<a href="x()">y</a>'],
    ['<a href="/a:b?c&d">y</a>', '<a href="/a:b?c&amp;d">y</a>'],
    ["<img src='a.png' onerror=x()>", "<img src='a.png'>"],
    ['<p style="color:red" data-a="1">x<br/>', '<p style="color:red" data-a="1">x<br />'],
    ['<p style="background:url(x)">x', '<p>x'],
    ['1 < 2 & 3 > 2 &eacute;', '1 &lt; 2 &amp; 3 &gt; 2 &eacute;'],
    ['<!-- kept --><unknown>x</unknown>', '<!-- kept -->x'],
  ])('untrusted description %j', (raw, stored) => {
    expect(cleanHtml(raw, false)).toBe(stored);
    expect(cleanHtml(raw, true)).toBe(raw);
  });

  it.each([
    [' <h2>a</h2> <em>b</em>', false, 'a <em>b</em>'],
    [' <h2>a</h2> <em>b</em>', true, '<h2>a</h2> <em>b</em>'],
  ])('title %j, trusted: %j', (raw, trusted, stored) => {
    expect(cleanTitle(raw, trusted)).toBe(stored);
  });

  it.each([
    [' Food\n &  Drink ', 'Food &amp; Drink'],
    ['A &amp; B', 'A &amp; B'],
    ['<em>Big</em> <script>x</script>Band', 'Big Band'],
    ['1 < 2', '1 &lt; 2'],
    ['a%20b', 'ab'],
  ])('term name %j', (raw, stored) => {
    expect(cleanTermName(raw)).toBe(stored);
  });

  it('keeps inline elements in the description of a term', () => {
    expect(cleanTermDescription('<p>All <b>kinds</b> & more</p>')).toBe('All <b>kinds</b> &amp; more');
  });
});

it('makes escaped text', () => {
  expect(escapeHtml('<b>"a" & \'b\' &amp;</b>')).toBe('&lt;b&gt;&quot;a&quot; &amp; &#039;b&#039; &amp;&lt;/b&gt;');
});
