import { didYouMean } from '../did-you-mean.ts';

/** Returns a hint with time zones that resemble a text, or whose city it names: `Did you mean Europe/Berlin?`. */
export function zoneHint(text: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const city = text.trim().toLowerCase().replace(/\s+/g, '_');
  const match = zones.find((zone) => zone.toLowerCase().split('/').at(-1) === city);
  return match ? `Did you mean ${match}?` : didYouMean(text, zones);
}
