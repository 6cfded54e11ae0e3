/** Stores of remote WMS and WMTS servers and their layers. The remote server runs only while they are created. */
import { cascadedWords, withMapServer } from '../../test/support/capabilities.ts';
import { secrets } from './credentials.ts';
import type { Rest } from './rest.ts';

export async function fillCascaded({ send }: Rest): Promise<void> {
  const check = { name: 'map servers', regex: '^http://127\\.0\\.0\\.1:\\d+/.*$', enabled: true };
  await send('POST', '/urlchecks', JSON.stringify(check));
  await withMapServer(async (url) => {
    for (const { stores, store, inStore, layer } of cascadedWords) {
      const collection = `/workspaces/acme/${stores}`;
      const name = `remote ${stores}`;
      const path = `${collection}/${encodeURIComponent(name)}`;
      await send('POST', collection, JSON.stringify({ [store]: { name, capabilitiesURL: `${url}${stores}` } }));
      const roads = { name: `${layer} roads`, nativeName: 'roads', ...remoteSettings };
      await send('POST', `${path}/${inStore}`, JSON.stringify({ [layer]: roads }));
      await send(
        'POST',
        `${path}/${inStore}`,
        JSON.stringify({ [layer]: { name: `${layer} rivers`, nativeName: 'rivers' } }),
      );
      await send('DELETE', `${path}/${inStore}/${encodeURIComponent(`${layer} rivers`)}?recurse=true`);
      await send('PUT', path, JSON.stringify({ [store]: connection }));
    }
  });
}

/** Nothing listens there when a later version opens the data directory. */
const connection = {
  description: 'Not reachable',
  capabilitiesURL: 'http://127.0.0.1:1/ows?map=town',
  user: 'reader',
  password: secrets.mapServer,
  maxConnections: 3,
  readTimeout: 5,
  connectTimeout: 2,
};

const remoteSettings = {
  title: 'Roads of others',
  keywords: { string: ['remote'] },
  forcedRemoteStyle: 'thick',
  preferredFormat: 'image/png',
  minScale: 100,
  maxScale: 100_000,
  metadataBBoxRespected: true,
  vendorParameters: { entry: [{ '@key': 'town', $: 'yes' }] },
};
