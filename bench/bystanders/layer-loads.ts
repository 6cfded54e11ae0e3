/** Loads on a server with very many layers: capabilities, lists and export. */
import { join } from 'node:path';
import { featureTypeKind } from '../../src/catalog/kinds/feature-type.ts';
import { layerKind } from '../../src/catalog/kinds/layer.ts';
import { type Catalog, openCatalog } from '../../src/records/catalog.ts';
import type { DraftOf, RecordBase, RecordKind } from '../../src/records/record.ts';
import { serverPrincipal } from '../../src/security/core/administrator.ts';
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open.ts';
import { placeShapes } from '../apply.ts';
import { type Bench, LARGE, thousands } from '../sections/section.ts';
import { authorization, startServerChild } from '../server-child.ts';
import { serverOptions } from './catalog-loads.ts';
import type { LoadGroup, OpenGroup } from './group.ts';
import { describeReply, sendLoad } from './load.ts';

const BATCH = 1_000;

const capabilities = {
  'capabilities-wms': '/wms?service=WMS&version=1.3.0&request=GetCapabilities',
  'capabilities-wfs': '/wfs?service=WFS&version=2.0.0&request=GetCapabilities',
  'capabilities-wmts': '/gwc/service/wmts?service=WMTS&version=1.0.0&request=GetCapabilities',
  'capabilities-ogc-api': '/ogc/features/v1/collections?f=json',
};

const lists = {
  'layers-list': '/rest/layers.json',
  'layers-export': '/rest/configuration',
  'layers-doctor': '/rest/doctor',
};

export const layerLoads: LoadGroup = {
  names: [...Object.keys(capabilities), ...Object.keys(lists)],
  open: openLayerLoads,
};

async function openLayerLoads(bench: Bench): Promise<OpenGroup> {
  const dataDir = await bench.directory();
  const count = bench.scaled(LARGE);
  await seedLayers(dataDir, count);
  const server = await startServerChild(dataDir, {}, serverOptions(bench));
  const cases = Object.entries({ ...capabilities, ...lists }).map(([name, path]) => ({
    name,
    what: `${path.replace(/\?.*/, '')} answers with ${thousands(count)} layers, twice`,
    run: async () => {
      const load = { url: `${server.origin}/geoserver${path}`, timeoutMs: 120_000 };
      return `${describeReply(await sendLoad(load))}; ${describeReply(await sendLoad(load))}`;
    },
  }));
  return { server, cases };
}

/** Publishes one layer and copies its records: publishing each over HTTP would take half an hour. */
export async function seedLayers(dataDir: string, count: number): Promise<void> {
  const server = await startServerChild(dataDir);
  await placeShapes(server, dataDir);
  const published = await fetch(`${server.restUrl}/workspaces/shapes/datastores/shapes/featuretypes`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ featureType: { name: 'places' } }),
  });
  if (!published.ok) throw new Error(`Publishing a layer answered ${published.status}: ${await published.text()}`);
  await server.stop();
  const storage = await openSqliteStorage({
    file: join(dataDir, 'graticule.sqlite'),
    clock: Date.now,
    kinds: recordKinds,
  });
  const catalog = openCatalog(storage);
  const type = await findFirst(catalog, featureTypeKind);
  const layer = await findFirst(catalog, layerKind);
  for (let start = 1; start < count; start += BATCH) {
    await catalog.change(serverPrincipal, 'seed', async (transaction) => {
      for (let index = start; index < Math.min(start + BATCH, count); index += 1) {
        const name = `places-${index}`;
        const { id } = await transaction.insert(featureTypeKind, { ...type, name });
        await transaction.insert(layerKind, { ...layer, name, parent: id });
      }
    });
  }
  await storage.close();
}

async function findFirst<R extends RecordBase & { readonly kind: string }>(
  catalog: Catalog,
  kind: RecordKind<R>,
): Promise<DraftOf<R>> {
  for await (const [first] of catalog.readAll(kind)) {
    if (first === undefined) continue;
    const { id, version, createdAtMs, modifiedAtMs, kind: _, ...draft } = first;
    return draft as unknown as DraftOf<R>;
  }
  throw new Error(`No ${kind.kind} to copy`);
}
