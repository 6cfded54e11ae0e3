/** The REST path of the resource of a layer. */
import { restRoot } from './client.ts';
import type { LayerDocument } from './types.ts';

/** The link of the server names its own address, which a proxy may have changed: only the path below REST counts. */
export function findResourcePath(layer: LayerDocument['layer'] | undefined): string | undefined {
  if (layer?.resource === undefined) return undefined;
  const { pathname } = new URL(layer.resource.href, restRoot);
  return pathname.slice(pathname.indexOf('/rest/') + '/rest'.length);
}
