/** Listings of stores of every kind: names, and with `details` what a table of stores shows. */
import type { Store } from '../../catalog/kinds/store.ts';
import { createListWriter, type Entries, type ListWriter } from '../../http/documents/listing.ts';
import { createFlagParameter } from '../../http/request/query.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import type { Workspace } from '../../records/workspace.ts';
import { getStorePath } from './representation.ts';

export const storeDetailsParameter = createFlagParameter('Also return type and state of each store.');

interface PlacedStore {
  readonly store: Store;
  readonly workspace: Workspace;
}

/** A store in a listing. */
export type ListedStore<V extends PlacedStore> = V & { readonly hasDetails?: boolean };

interface StoreListingOptions {
  readonly itemName: string;
  readonly title: string;
  /** Whether the HTML page shows the type of each store. */
  readonly showsType: boolean;
}

export function createStoreListing<V extends PlacedStore>({
  itemName,
  title,
  showsType,
}: StoreListingOptions): ListWriter<ListedStore<V>, Entries<ListedStore<V>>> {
  return createListWriter<ListedStore<V>>(`${itemName}s`, {
    itemName,
    title,
    name: ({ store }) => store.name,
    path: getStorePath,
    details: {
      properties: {
        type: { type: 'string', description: 'With details=true, like the following member.' },
        enabled: { type: 'boolean' },
      },
      write: writeDetails,
    },
    ...(showsType ? { note: ({ store }) => store.type } : {}),
  });
}

function writeDetails({
  store: { type, enabled },
  hasDetails = false,
}: ListedStore<PlacedStore>): readonly OutputMember[] {
  if (!hasDetails) return [];
  return [
    { name: 'type', node: { kind: 'value', value: type } },
    { name: 'enabled', node: { kind: 'value', value: enabled } },
  ];
}

export function toListedStores<V extends PlacedStore>(
  views: readonly V[],
  { details }: { readonly details: boolean },
): readonly ListedStore<V>[] {
  return views.map((view) => ({ ...view, hasDetails: details }));
}
