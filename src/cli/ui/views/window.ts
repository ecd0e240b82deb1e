/** Returns the first line to show of a list that may not fit, so that the selected line is in the middle. */
export const windowFrom = (selected: number, count: number, height: number): number =>
  Math.max(0, Math.min(selected - Math.floor(height / 2), count - height));
