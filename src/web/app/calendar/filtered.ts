import { returnAddress } from '../address.ts';
import { today } from '../context.ts';
import { addressOf, parseState, withFilter } from './state.ts';

/** Returns the address of the last calendar view in this tab with other values for one of its filters. Without a view, it is that of `fallback`. */
export function filteredAddress(name: string, values: readonly string[], fallback?: string): string {
  const state = parseState(new URL(returnAddress(fallback), location.href).searchParams, today());
  return addressOf({ ...state, filters: withFilter(state.filters, name, values) }, today());
}
