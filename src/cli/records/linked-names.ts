import { listWhole } from '../../data/record-names.ts';
import type { Calendar, Resource, ResourceName } from '../../model/calendar.ts';
import { maxPerPage } from '../../model/fields/list.ts';
import { namedRecord, RecordNames } from '../../model/formats/record-names.ts';
import { references } from '../../model/formats/references.ts';
import { everyRecord } from '../../model/paging.ts';
import { resources } from '../../model/resources/all.ts';
import { fieldColumns } from '../print/cells.ts';
import type { LinkedNames } from '../print/words.ts';

/** Maximum number of records whose names are compared; of more, each has its slug in a cell unless that follows from its name. */
const maxCompared = 2000;

/** The names of the records that the columns of a table link to, by column. */
export async function linkedNames(calendar: Calendar, resource: Resource, columns = fieldColumns(resource)): Promise<LinkedNames> {
  const linked: Record<string, RecordNames> = {};
  for (const [field, to] of Object.entries(references[resource.name as ResourceName])) {
    if (to === 'images' || !columns.includes(field)) continue;
    const [target, collection] = [resources[to as ResourceName] as Resource, calendar[to as ResourceName]];
    const { page: first, query } = await listWhole({ per_page: String(maxPerPage) }, target, collection);
    const isWhole = first.total <= maxCompared;
    const names = new RecordNames(target, isWhole);
    if (isWhole) for await (const entry of everyRecord(collection, query, { first })) names.add(namedRecord(target, entry));
    linked[field] = names;
  }
  return linked;
}
