import type { Query } from './filter.ts';
import type { Page, Ref } from './resource.ts';

/** The JSON of a record, in UTF-8. */
export interface Text {
  bytes: Uint8Array;
  /** Names the content: equal tags, equal bytes. */
  tag: string;
}

/** A page of a list with its records as texts. */
export type TextPage = Omit<Page, 'entries'> & { texts: Text[] };

/** The reads of events, venues or organizers, answered in texts that may have been kept ready. The same records and failures as a Collection's. */
export interface Texts {
  list(query: Query): TextPage;
  get(ref: Ref, query: Query): Text;
}
