/** Features from OGC API Features, as the user or others see them. */
import { callService, type RestReply, rest, withQuery } from '../../../../rest/client.ts';
import { addViewAs, splitViewAs } from '../../../../rest/view-as.ts';

export interface Item {
  readonly id?: string | number;
  readonly geometry: { readonly type: string } | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

export interface ItemCollection {
  readonly features: readonly Item[];
  readonly numberMatched?: number;
}

export function createItemsPath(
  collection: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  viewAs: string | undefined,
): string {
  const items = rest`ogc/features/v1/collections/${collection}/items`;
  return addViewAs(withQuery(items, { f: 'json', ...query }), viewAs);
}

export async function readItems<T = ItemCollection>(key: string, signal: AbortSignal): Promise<RestReply<T>> {
  const { path, viewAs } = splitViewAs(key);
  const reply = await callService(path, {
    signal,
    accept: 'application/geo+json',
    viewAs,
  });
  return { body: (await reply.json()) as T, etag: reply.headers.get('etag'), change: null, total: null };
}

export async function readItem(collection: string, id: string, viewAs: string | undefined): Promise<Item> {
  const path = rest`ogc/features/v1/collections/${collection}/items/${id}`;
  const reply = await callService(`${path}?f=json`, { viewAs, accept: 'application/geo+json' });
  return (await reply.json()) as Item;
}
