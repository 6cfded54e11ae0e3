/** Features from OGC API Features, with or without credentials. */
import { callService, type RestReply, rest, withQuery } from '../../../../rest/client.ts';

export interface Item {
  readonly id?: string | number;
  readonly geometry: { readonly type: string } | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

export interface ItemCollection {
  readonly features: readonly Item[];
  readonly numberMatched?: number;
}

/** Tells answers for visitors from those for the user; it is not sent. */
const ANONYMOUS = '#anonymous';

export function createItemsPath(
  collection: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
  isAnonymous: boolean,
): string {
  const items = rest`ogc/features/v1/collections/${collection}/items`;
  return `${withQuery(items, { f: 'json', ...query })}${isAnonymous ? ANONYMOUS : ''}`;
}

export async function readItems<T = ItemCollection>(path: string, signal: AbortSignal): Promise<RestReply<T>> {
  const [target = ''] = path.split('#');
  const reply = await callService(target, {
    signal,
    accept: 'application/geo+json',
    isAnonymous: path.endsWith(ANONYMOUS),
  });
  return { body: (await reply.json()) as T, etag: reply.headers.get('etag'), change: null, total: null };
}

export async function readItem(collection: string, id: string, isAnonymous: boolean): Promise<Item> {
  const path = rest`ogc/features/v1/collections/${collection}/items/${id}`;
  const reply = await callService(`${path}?f=json`, { isAnonymous, accept: 'application/geo+json' });
  return (await reply.json()) as Item;
}
