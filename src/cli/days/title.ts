import { cut, widthOf } from '../terminal/width.ts';

/** Cuts a title and its place to a number of columns. Omits the place if it would get fewer than seven. */
export function fitTitle(title: string, place: string, columns: number): { title: string; place: string } {
  const text = cut(title, Math.max(1, columns));
  const room = columns - widthOf(text);
  return { title: text, place: place && room > 6 ? cut(` · ${place}`, room) : '' };
}
