import { invalidParams } from '../../model/error.ts';
import { parseLine } from '../../model/time/event-line.ts';
import { readMoment } from '../../model/time/typed-date.ts';
import type { TypedText } from '../../model/web-page.ts';
import type { Call, Result } from '../http.ts';

const maxLength = 500;

/** Reads a text as an event in one line and as a date, by the server's clock. */
export function pageText({ service, query }: Call): Result {
  const text = String(query.text ?? '');
  if (text.length > maxLength) throw invalidParams({ text: { reason: `is longer than ${maxLength} characters` } });
  const { now, zone } = service.requestContext();
  const value: TypedText = { event: parseLine(text, now, zone), date: readMoment(text, now, zone) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}
