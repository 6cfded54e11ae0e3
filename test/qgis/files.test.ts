/** QGIS opens the files that services return and tile exports write, with the content of the source. */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { featureSamples } from '../support/feature-samples.ts';
import { publishSquares } from '../support/maps.ts';
import { createGeopackage, publishTables } from '../support/published-features.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { useTestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { exportTiles } from '../support/tile-exports.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { comparable, expectSamePlaces, type FoundFeature, readLayers, runQgis } from './run-qgis.ts';

function listDrivers(): readonly string[] {
  const python = tools.qgis.find();
  if (python === undefined) return [];
  const { stdout } = spawnSync(python, [join(import.meta.dirname, 'drivers.py')], { encoding: 'utf8' });
  return JSON.parse(stdout === '' ? '[]' : stdout) as readonly string[];
}

const drivers = listDrivers();

/** Declares tests of a driver that the packages of many systems lack. */
function describeWithDriver(driver: string, title: string, body: () => void): void {
  if (drivers.includes(driver)) describe(title, body);
  else console.warn(`omitted: ${title}: the GDAL of QGIS has no driver ${driver}`);
}

const squares = { crs: 'EPSG:3857', box: [0, 0, 1_113_194.9, 1_118_889.97], size: [200, 200] } as const;
const halves = [
  [50, 60],
  [150, 60],
] as const;

describeWithTool('qgis', 'QGIS', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('qgis-files');
  const source = join(folder, 'source.gpkg');

  beforeAll(async () => {
    await publishTables(server, 'samples', featureSamples);
    await writeFile(source, await createGeopackage(featureSamples));
    await publishSquares(server);
    const type = 'image/tiff';
    const body = geotiffBytes(600, 400, (index) => index % 251);
    const uploaded = await server.request('PUT', '/workspaces/topo/coveragestores/dem/file.geotiff', { type, body });
    expect(uploaded.status, uploaded.text).toBe(201);
  });

  const save = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };

  const requests = {
    WFS: (name: string, format: string) =>
      `//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=samples:${name}&outputFormat=${format}`,
    'OGC API Features': (name: string, format: string) =>
      `//geoserver/ogc/features/v1/collections/samples:${name}/items?limit=100&f=${format === 'geoparquet' ? 'parquet' : 'fgb'}`,
  } as const;

  const testFiles = (format: 'flatgeobuf' | 'geoparquet') =>
    it.each(['WFS', 'OGC API Features'] as const)(
      'reads every layer with the content of the source from %s',
      async (service) => {
        const names = featureSamples.map(({ name }) => name);
        const paths: string[] = [];
        for (const name of names) {
          const reply = await server.get(requests[service](name, format));
          const extension = format === 'flatgeobuf' ? 'fgb' : 'parquet';
          paths.push(await save(`${service.slice(0, 3)}-${name}.${extension}`, reply.bytes));
        }

        const found = await readLayers(
          folder,
          paths.map((uri) => ({ provider: 'ogr', uri })),
        );

        const sources = await readLayers(
          folder,
          names.map((name, index) => {
            const crs = found[index]?.crs ?? '';
            return { provider: 'ogr', uri: `${source}|layername=${name}`, crs };
          }),
        );
        for (const [index, name] of names.entries()) {
          const [layer, expected] = [sortByRank(found[index]?.features), sortByRank(sources[index]?.features)];
          expect([name, layer.map(comparable)]).toEqual([name, expected.map(comparable)]);
          expectSamePlaces(layer, expected);
        }
      },
    );

  describeWithDriver('FlatGeobuf', 'with FlatGeobuf', () => testFiles('flatgeobuf'));
  describeWithDriver('Parquet', 'with GeoParquet', () => testFiles('geoparquet'));

  it('draws exported MBTiles with vector tiles and with images', async () => {
    const vector = await exportTiles(server, { layer: 'topo:west', archive: 'mbtiles', format: 'mvt' });
    const images = await exportTiles(server, { layer: 'topo:west', archive: 'mbtiles' });
    const vectorPath = await save('vector.mbtiles', vector.bytes);
    const asked = [
      { provider: 'vectortile', uri: `type=mbtiles&url=${vectorPath}` },
      { provider: 'gdal', uri: await save('images.mbtiles', images.bytes) },
    ].map((layer) => ({ ...layer, ...squares, pixels: halves }));

    const drawn = await runQgis(folder, 'draw_layers.py', asked);

    expect(drawn).toEqual([{ colours: ['#00ff00', '#ffffff'] }, { colours: ['#ff0000', '#ffffff'] }]);
  });

  describeWithDriver('PMTiles', 'with PMTiles', () => {
    it('reads the features of exported vector tiles', async () => {
      const { bytes } = await exportTiles(server, { layer: 'topo:east', format: 'mvt' });
      const path = await save('east.pmtiles', bytes);

      const [layer] = await readLayers(folder, [{ provider: 'ogr', uri: `${path}|layername=east` }]);

      expect([layer?.crs, new Set(layer?.features.map(({ properties }) => properties['kind']))]).toEqual([
        'EPSG:3857',
        new Set(['whole']),
      ]);
    });
  });

  it('reads the samples of a cloud-optimised GeoTIFF of WCS, in full and from its overviews', async () => {
    const query = 'service=WCS&version=2.0.1&request=GetCoverage&coverageId=topo__dem';
    const cog = encodeURIComponent('image/tiff;application=geotiff;profile=cloud-optimized');
    const reply = await server.get(`//geoserver/wcs?${query}&format=${cog}`);
    const uri = await save('dem.tif', reply.bytes);
    const file = { provider: 'gdal', uri };
    const [left, top] = [500_000, 5_000_000];

    const [corner, whole] = await runQgis<{ readonly samples: readonly (readonly number[])[] }>(
      folder,
      'read_rasters.py',
      [
        { ...file, box: [left, top - 20, left + 30, top], size: [3, 2] },
        { ...file, box: [left, top - 4_000, left + 6_000, top], size: [300, 200] },
      ],
    );

    expect(corner).toEqual({
      size: [600, 400],
      crs: 'EPSG:32633',
      extent: [left, top - 4_000, left + 6_000, top],
      samples: [
        [0, 1, 2],
        [600 % 251, 601 % 251, 602 % 251],
      ],
    });
    expect(whole?.samples.slice(0, 2).map((row) => row.slice(0, 3))).toEqual([
      [0, 2, 4],
      [1_200 % 251, 1_202 % 251, 1_204 % 251],
    ]);
  });
});

/** FlatGeobuf sorts features by place, and has no dates without time. */
function sortByRank(features: readonly FoundFeature[] = []): readonly FoundFeature[] {
  return features
    .map(({ properties, ...feature }) => ({
      ...feature,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          name === 'founded' && typeof value === 'string' ? value.slice(0, 10) : value,
        ]),
      ),
    }))
    .toSorted((one, other) => Number(one.properties['rank']) - Number(other.properties['rank']));
}
