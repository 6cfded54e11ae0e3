/** Documents of stores of all kinds in one form. */
import { rest } from './client.ts';
import { type StoreCollection, type StoreKind, storeRoots } from './store-kinds.ts';

export interface StoreView {
  readonly name: string;
  readonly type: string;
  readonly description?: string | undefined;
  readonly isEnabled: boolean;
  /** Without secrets, which the server never returns. */
  readonly parameters: Readonly<Record<string, string>>;
}

export const storeCollections: readonly StoreCollection[] = ['datastores', 'coveragestores', 'wmsstores', 'wmtsstores'];

/** Members that are no parameters. */
const others: ReadonlySet<string> = new Set([
  ...['name', 'type', 'description', 'enabled', 'workspace', 'metadata', '_default', 'disableOnConnFailure'],
  ...['dateCreated', 'dateModified', 'featureTypes', 'coverages', 'wmslayers', 'layers'],
]);

type Entries = { readonly entry?: readonly { readonly '@key': string; readonly $: string }[] };

export function readStore(collection: StoreCollection, document: unknown): StoreView {
  const store = (document as Record<string, Record<string, unknown>>)[storeRoots[collection]] ?? {};
  const entries = (store['connectionParameters'] as Entries | undefined)?.entry ?? [];
  const parameters =
    collection === 'datastores'
      ? entries
          .filter(({ '@key': key }) => key !== 'namespace')
          .map(({ '@key': key, $: value }) => [key, value] as const)
      : Object.entries(store).flatMap(([key, value]) =>
          others.has(key) || typeof value === 'object' ? [] : [[key, String(value)] as const],
        );
  return {
    name: String(store['name']),
    type: String(store['type'] ?? ''),
    description: store['description'] === undefined ? undefined : String(store['description']),
    isEnabled: store['enabled'] !== false,
    parameters: Object.fromEntries(parameters),
  };
}

/** Returns the kind whose form fits the parameters. */
export function findStoreKind(
  kinds: readonly StoreKind[],
  collection: StoreCollection,
  { parameters }: StoreView,
): StoreKind | undefined {
  return kinds.find(
    (kind) =>
      kind.collection === collection &&
      Object.entries(kind.fixed).every(([key, value]) => parameters[key]?.toLowerCase() === value) &&
      kind.fields.every(({ name, isRequired, isSecret }) => !isRequired || isSecret || parameters[name] !== undefined),
  );
}

export function getStorePath(workspace: string, collection: StoreCollection, store: string): string {
  return `${rest`/workspaces/${workspace}`}/${collection}${rest`/${store}`}`;
}

/** The collection of the published resources of a store, and how its data is listed. */
export const storeContents: Readonly<
  Record<StoreCollection, { readonly path: string; readonly list: string; readonly item: string }>
> = {
  datastores: { path: 'featuretypes', list: 'featureTypes', item: 'featureType' },
  coveragestores: { path: 'coverages', list: 'coverages', item: 'coverage' },
  wmsstores: { path: 'wmslayers', list: 'wmsLayers', item: 'wmsLayer' },
  wmtsstores: { path: 'layers', list: 'wmtsLayers', item: 'wmtsLayer' },
};

/** Empty lists are empty texts. */
function listItems(document: unknown, list: string, item: string): readonly unknown[] {
  const found = (document as Record<string, unknown>)[list];
  if (typeof found !== 'object' || found === null) return [];
  const items: unknown = (found as Record<string, unknown>)[item];
  return Array.isArray(items) ? items : [];
}

export function listNames(document: unknown, list: string, item: string): readonly string[] {
  return listItems(document, list, item).map((each) =>
    typeof each === 'string' ? each : String((each as { readonly name: unknown }).name),
  );
}

/** An entry of a listing with details. */
export interface StoreEntry {
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
}

export function listStores(collection: StoreCollection, document: unknown): readonly StoreEntry[] {
  const root = storeRoots[collection];
  return listItems(document, `${root}s`, root) as readonly StoreEntry[];
}
