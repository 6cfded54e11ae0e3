/** What WMS says about one layer: its reference systems and its times. */
import type { RestReply } from '../../../../rest/client.ts';
import { callService, withQuery } from '../../../../rest/client.ts';
import { type LayerCapabilities, parseCapabilities } from './parse-capabilities.ts';

export type { LayerCapabilities } from './parse-capabilities.ts';

/** The address of the WMS that has only this layer. */
export function getCapabilitiesPath(workspace: string, layer: string): string {
  const service = `${encodeURIComponent(workspace)}/${encodeURIComponent(layer)}/wms`;
  return withQuery(service, { service: 'WMS', version: '1.3.0', request: 'GetCapabilities' });
}

/** The policy of the page permits no parser of documents: the parts are found by patterns. */
export async function readCapabilities(path: string, signal: AbortSignal): Promise<RestReply<LayerCapabilities>> {
  const reply = await callService(path, { signal });
  const body = parseCapabilities(await reply.text());
  return { body, etag: null, change: null, total: null };
}
