/** Mosaics in a test server whose granules are inserted by the test, without files. */
import { join } from 'node:path';
import { coverageKind } from '../../src/catalog/kinds/coverage.ts';
import { coverageStoreKind } from '../../src/catalog/kinds/coverage-store.ts';
import { insertResource } from '../../src/catalog/resources/write-resource.ts';
import { ROLE_ADMINISTRATOR } from '../../src/lib/identity/principal.ts';
import { openEmbeddedGranules } from '../../src/raster/granules/embedded/embedded-granules.ts';
import type { GranuleDraft, GranuleSchema } from '../../src/raster/granules/port/port.ts';
import { openSharedGranules } from '../../src/raster/granules/shared/shared-granules.ts';
import { openCatalog } from '../../src/records/catalog.ts';
import { workspaceKind } from '../../src/records/workspace.ts';
import { parsePostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { createWorkerPool } from '../../src/workers/pool.ts';
import { harvest } from './granules.ts';
import { storageFor } from './shared-storage.ts';
import type { TestServer } from './test-server.ts';
import { geotiffBytes } from './tiff-bytes.ts';

const principal = { name: 'admin', roles: new Set([ROLE_ADMINISTRATOR]) };

export interface AddedCoverage {
  readonly schema: GranuleSchema;
  readonly granules: readonly GranuleDraft[];
}

/** A store in an existing workspace, and a published coverage with its layer for each schema. */
export async function addMosaic(
  server: TestServer,
  workspace: string,
  name: string,
  coverages: readonly AddedCoverage[],
): Promise<void> {
  const template = await publishPicture(server, workspace, `${name}-picture`);
  const key = `mosaic of ${workspace} ${name}`;
  const version = await harvestAll(server, key, 0, coverages);
  const catalog = openCatalog(server.server.storage);
  await catalog.change(principal, `add the mosaic ${name}`, async (transaction) => {
    const { store, coverage } = template;
    const { id: _id, version: _version, ...storeDraft } = store;
    const mosaic = await transaction.insert(coverageStoreKind, {
      ...storeDraft,
      name,
      type: 'ImageMosaic',
      fileSet: null,
      filePlace: null,
      mosaic: {
        definition: {
          canBeEmpty: true,
          isAbsolutePath: false,
          wildcard: '*.*',
          isRecursive: true,
          domains: [],
          coverages: [],
          collectors: [],
        },
        index: { kind: 'embedded', key },
        indexVersion: version,
        coverages: coverages.map(({ schema }) => ({
          name: schema.name,
          schema,
          bandTypes: 'uint8',
          title: null,
          resolution: [0.1, 0.1] as const,
          bands: [],
          units: {},
        })),
      },
    });
    for (const { schema } of coverages) {
      const { id: _coverageId, version: _coverageVersion, ...coverageDraft } = coverage;
      await insertResource(transaction, coverageKind, template.workspace, {
        draft: { ...coverageDraft, parent: mosaic.id, name: schema.name, nativeName: schema.name },
      });
    }
  });
}

/** Adds granules to a mosaic in one change. */
export async function harvestMosaic(
  server: TestServer,
  workspace: string,
  name: string,
  coverage: AddedCoverage,
): Promise<void> {
  const { store } = await findStore(server, workspace, name);
  if (store?.mosaic == null) throw new Error(`${name} is no mosaic`);
  const { mosaic } = store;
  const indexVersion = await harvestAll(server, mosaic.index.key, mosaic.indexVersion, [coverage]);
  await openCatalog(server.server.storage).change(principal, `harvest ${name}`, (transaction) =>
    transaction.update(coverageStoreKind, { ...store, mosaic: { ...mosaic, indexVersion } }),
  );
}

/** Returns the version that the record has to name. */
async function harvestAll(
  server: TestServer,
  key: string,
  version: number,
  coverages: readonly AddedCoverage[],
): Promise<number> {
  const { indexes, close } = await openGranules(server);
  const recorded = { mosaic: indexes.openMosaic(key), version };
  for (const { schema, granules } of coverages) await harvest(recorded, granules, schema);
  await close();
  return recorded.version;
}

/** Opens the granule index of the server a second time. */
async function openGranules({ dataDir }: TestServer) {
  const [, address] = (await storageFor(dataDir, [])).flags;
  const place = address === undefined ? undefined : parsePostgresLocation(address);
  if (place !== undefined) {
    const indexes = openSharedGranules({ ...place, clock: Date.now });
    return { indexes, close: () => indexes.close() };
  }
  const pool = createWorkerPool({
    maxThreads: 1,
    maxWaiting: 10,
    deadlineMs: 60_000,
    maxMemoryMegabytes: 256,
    idleMs: 60_000,
  });
  const indexes = openEmbeddedGranules(join(dataDir, 'granules.sqlite'), pool, Date.now);
  return { indexes, close: () => pool.close() };
}

async function findStore(server: TestServer, workspace: string, name: string) {
  const catalog = openCatalog(server.server.storage);
  const found = await catalog.find(workspaceKind, null, workspace);
  if (found === undefined) throw new Error(`There is no workspace ${workspace}`);
  return { workspace: found, store: await catalog.find(coverageStoreKind, found.id, name) };
}

/** The fields that are not specific to mosaics come from a store of a single image. */
async function publishPicture(server: TestServer, workspace: string, name: string) {
  const reply = await server.request('PUT', `/workspaces/${workspace}/coveragestores/${name}/file.geotiff`, {
    body: geotiffBytes(4, 4),
    type: 'image/tiff',
  });
  if (reply.status >= 300) throw new Error(reply.text);
  const { store, workspace: parent } = await findStore(server, workspace, name);
  const [coverage] = await openCatalog(server.server.storage).list(coverageKind, store?.id ?? '');
  if (store === undefined || coverage === undefined) throw new Error(`${name} was not published`);
  return { store, coverage, workspace: parent };
}
