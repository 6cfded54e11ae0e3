/** Stores of tile archives are moved with their files; those in object stores are reported. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { coverageStoreXml, dataStoreXml, workspaceFiles } from '../../../test/support/source-directories/documents.ts';
import { listen, runMoveIn } from '../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { writeDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import {
  coloredTiles,
  createTownTiles,
  encodePmtiles,
  townMetadata,
  writeMbtiles,
} from '../../../test/support/tile-archives.ts';

const server = useTestServer();
const folder = useTemporaryFolder('move-in-tiles');
let url: string;
beforeAll(async () => {
  url = await listen(server);
});

it('stores of MBTiles and PMTiles arrive with their files, and the location of an object store is reported', async () => {
  const store = (name: string, type: string, parameters: Readonly<Record<string, string>>) => ({
    [`workspaces/tiles/${name}/datastore.xml`]: dataStoreXml({ workspace: 'tiles', name, type, parameters }),
  });
  const tiles = createTownTiles((bytes) => bytes);
  const { name, ...json } = townMetadata;
  writeMbtiles(join(folder, 'city.mbtiles'), { tiles, metadata: { name, format: 'pbf', json: JSON.stringify(json) } });
  writeMbtiles(join(folder, 'relief.mbtiles'), { tiles: coloredTiles, metadata: { format: 'png' } });
  const source = await writeDirectory(await mkdtemp(join(folder, 'source-')), {
    ...createSampleDirectory(),
    ...workspaceFiles('tiles'),
    'data/city.pmtiles': encodePmtiles({ tiles, tileType: 1, metadata: townMetadata }),
    'data/city.mbtiles': await readFile(join(folder, 'city.mbtiles')),
    'data/relief.mbtiles': await readFile(join(folder, 'relief.mbtiles')),
    ...store('packed', 'PMTiles', {
      pmtiles: 'file:data/city.pmtiles',
      'io.tileverse.rangereader.caching.enabled': 'true',
      namespace: 'http://tiles.example/features',
    }),
    ...store('vector', 'MBTiles with vector tiles', { dbtype: 'mbtiles', database: 'file:data/city.mbtiles' }),
    ...store('cloud', 'PMTiles', {
      pmtiles: 's3://bucket/city.pmtiles',
      'io.tileverse.rangereader.s3.aws-secret-access-key': 'canary',
    }),
    'workspaces/tiles/relief/coveragestore.xml': coverageStoreXml(
      'tiles',
      'relief',
      'MBTiles',
      'file:data/relief.mbtiles',
    ),
  });

  const { report, out } = await runMoveIn(url, [source, '--data', 'copy', '--yes']);

  const entries = report.entries.filter(({ source: file }) => file?.startsWith('workspaces/tiles/'));
  expect(entries.map(({ code, source: file }) => [code, file])).toEqual([
    ['store-type-unsupported', 'workspaces/tiles/cloud/datastore.xml'],
    ['setting-ignored', 'workspaces/tiles/packed/datastore.xml'],
  ]);
  expect(JSON.stringify(report) + out).not.toContain('canary');
  for (const [path, type, file] of [
    ['datastores/packed', 'PMTiles', 'file:data/tiles/packed/1/city.pmtiles'],
    ['datastores/vector', 'MBTiles with vector tiles', 'file:data/tiles/vector/1/city.mbtiles'],
    ['coveragestores/relief', 'MBTiles', 'file:data/tiles/relief/1/relief.mbtiles'],
  ] as const) {
    const reply = await server.get(`/workspaces/tiles/${path}.json`);
    expect([path, reply.text]).toEqual([path, expect.stringContaining(`"type":"${type}"`)]);
    expect([path, reply.text]).toEqual([path, expect.stringContaining(file)]);
  }
  for (const path of ['datastores/packed', 'datastores/vector']) {
    const listed = await server.get(`/workspaces/tiles/${path}/featuretypes.json?list=available`);
    expect([path, listed.text]).toEqual([path, expect.stringContaining('"towns"')]);
  }
});
