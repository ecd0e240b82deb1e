import { describe, it } from 'vitest';
import {
  cleanHtml,
  cleanTermDescription,
  cleanTermName,
  cleanText,
  renderContent,
  renderExcerpt,
  renderTitle,
  strippedLine,
} from '../../src/model/html/render.ts';
import { limit } from '../support/timeouts.ts';

describe('a text that is made to take long', () => {
  const pieces = [
    '<',
    '<a ',
    '"',
    "'",
    ' "a',
    '5" ',
    '&',
    '\n',
    'a\n',
    'a\n\n',
    ' ',
    '-',
    '1',
    '1x',
    '<p>',
    '<pre>',
    '<br>\n',
    '<p><li>',
    '[',
    '[gallery ',
    '<!--',
    'a="',
  ];
  it.each(pieces)(
    'a quarter of a mebibyte of %j',
    (piece) => {
      const raw = piece.repeat(2 ** 18 / piece.length);
      for (const render of [renderTitle, renderContent, renderExcerpt, cleanText, cleanTermName, cleanTermDescription, strippedLine])
        render(raw);
      cleanHtml(raw, false);
    },
    limit(10_000),
  );
});
