/** Returns a percentile of numbers; NaN for none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** A figure of several measurements. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** Returns the median and the range of figures. */
export function spreadOf(values: readonly number[]): Spread {
  return { median: percentile(values, 50), least: Math.min(...values), most: Math.max(...values) };
}

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));

/** Formats a figure: `0.71 (0.65–0.80)`. */
export const shown = ({ median, least, most }: Spread): string => `${short(median)} (${short(least)}–${short(most)})`;
