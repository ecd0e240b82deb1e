import { cut, widthOf } from '../terminal/width.ts';

/** Cuts a title and its place to a number of columns. Omits the place if it would get fewer than seven. */
export function fitTitle(title: string, place: string, columns: number): { title: string; place: string } {
  const shown = cut(title, Math.max(1, columns));
  const left = columns - widthOf(shown);
  return { title: shown, place: place && left > 6 ? cut(` · ${place}`, left) : '' };
}
