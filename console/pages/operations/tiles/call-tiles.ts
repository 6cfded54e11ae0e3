/** Requests of the tile administration, which is beside the REST root. */
import { callService, type RestReply, type RestRequest } from '../../../rest/client.ts';

export function readTiles<T>(path: string, signal?: AbortSignal): Promise<RestReply<T>> {
  return writeTiles<T>(path, { signal });
}

export async function writeTiles<T>(path: string, request: RestRequest): Promise<RestReply<T>> {
  const reply = await callService(path, { accept: 'application/json', ...request });
  const text = await reply.text();
  const isJson = (reply.headers.get('content-type') ?? '').includes('json');
  const change = reply.headers.get('graticule-change');
  return {
    body: (isJson && text !== '' ? JSON.parse(text) : text) as T,
    etag: reply.headers.get('etag'),
    change: change === null ? null : Number(change),
    total: null,
  };
}
