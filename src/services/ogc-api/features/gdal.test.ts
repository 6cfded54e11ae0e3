/** The OAPIF driver of GDAL reads the same features as the sources contain. */
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type OgrFeature, runGdal } from '../../../../test/support/gdal.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { describeWithTool } from '../../../../test/support/with-tool.ts';

const polygon = (x: number) => [
  [
    [x, 0],
    [x + 4, 0],
    [x + 4, 4],
    [x, 4],
    [x, 0],
  ],
  [
    [x + 1, 1],
    [x + 1, 2],
    [x + 2, 2],
    [x + 2, 1],
    [x + 1, 1],
  ],
];

/** Points, lines, polygons with holes, multi-geometries, nulls, dates and several scripts. */
const samples: Readonly<Record<string, readonly object[]>> = {
  points: [
    { type: 'Point', coordinates: [7.5, 46.25] },
    { type: 'Point', coordinates: [-70.125, -33.5] },
  ],
  lines: [
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 2],
        [3, 3],
      ],
    },
  ],
  blocks: [
    { type: 'Polygon', coordinates: polygon(0) },
    { type: 'Polygon', coordinates: polygon(10) },
  ],
  multipoints: [
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 1],
        [2, 2],
      ],
    },
  ],
  multilines: [
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
  ],
  multiblocks: [{ type: 'MultiPolygon', coordinates: [polygon(0), polygon(20)] }],
};

function collectionOf(geometries: readonly object[]): object {
  const features = geometries.map((geometry, index) => ({
    type: 'Feature',
    geometry,
    properties: {
      number: index,
      share: index + 0.5,
      text: index % 2 === 0 ? 'Zürich, 東京 & "quotes" <tags>' : null,
      day: `2024-02-${String(index + 10)}`,
      at: `2024-02-29T12:30:0${index}Z`,
      yes: index % 2 === 0,
    },
  }));
  return { type: 'FeatureCollection', features };
}

async function featuresOf(source: string, layer: string): Promise<readonly OgrFeature[]> {
  const precision = ['-lco', 'COORDINATE_PRECISION=12'];
  const text = await runGdal('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', source, layer, ...precision]);
  const { features } = JSON.parse(text) as { readonly features: readonly OgrFeature[] };
  // GDAL exposes the id as an attribute too.
  return features.map(({ properties: { id: _, ...properties }, geometry }) => ({ properties, geometry }));
}

/** Reprojecting there and back loses the last digits. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e5) / 1e5 + 0;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

describeWithTool('gdal', 'OGC API Features, beside GDAL', () => {
  const server = useTestServer();
  const folder = useTemporaryFolder('oapif');
  let address = '';

  beforeAll(async () => {
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    for (const [name, geometries] of Object.entries(samples)) {
      await writeFile(join(folder, `${name}.geojson`), JSON.stringify(collectionOf(geometries)));
      const path = join(folder, `${name}.gpkg`);
      await runGdal('ogr2ogr', [path, join(folder, `${name}.geojson`), '-nln', name]);
      const swapped = join(folder, `${name}_3035.gpkg`);
      await runGdal('ogr2ogr', [swapped, path, '-t_srs', 'EPSG:3035', '-nln', `${name}_3035`]);
      for (const file of [path, swapped]) {
        const store = file.replace(/.*\/|\.gpkg$/g, '');
        const reply = await server.put(`/workspaces/acme/datastores/${store}/external.gpkg`, file, {
          type: 'text/plain',
        });
        expect(reply.status, reply.text).toBe(201);
      }
    }
    await server.server.app.listen({ host: '127.0.0.1', port: 0 });
    address = `http://127.0.0.1:${(server.server.app.server.address() as AddressInfo).port}/geoserver/ogc/features/v1`;
  }, 600_000);

  it('finds every layer', async () => {
    const said = await runGdal('ogrinfo', ['-ro', `OAPIF:${address}`]);

    for (const name of Object.keys(samples)) {
      expect(said).toContain(`acme:${name}`);
    }
  });

  it.each(Object.keys(samples))('reads %s unchanged', async (name) => {
    const ours = await featuresOf(`OAPIF:${address}`, `acme:${name}`);
    const theirs = await featuresOf(join(folder, `${name}.gpkg`), name);

    expect(ours).toEqual(theirs);
  });

  it.each(Object.keys(samples))('reads %s in degrees from a CRS with north first', async (name) => {
    const ours = await featuresOf(`OAPIF:${address}`, `acme:${name}_3035`);
    const theirs = await featuresOf(join(folder, `${name}.gpkg`), name);

    expect(rounded(ours)).toEqual(rounded(theirs));
  });

  it('pages through a collection', async () => {
    const said = await runGdal('ogrinfo', [
      '-ro',
      '-al',
      '-so',
      `OAPIF:${address}`,
      'acme:blocks',
      '-oo',
      'PAGE_SIZE=1',
    ]);

    expect(said).toContain('Feature Count: 2');
  });

  it('filters by a box and by an attribute', async () => {
    const count = async (...args: readonly string[]) => {
      const said = await runGdal('ogrinfo', ['-ro', '-al', '-so', `OAPIF:${address}`, 'acme:blocks', ...args]);
      return /Feature Count: (\d+)/.exec(said)?.[1];
    };

    expect(await count('-spat', '9', '-1', '15', '5')).toBe('1');
    expect(await count('-where', 'number = 1')).toBe('1');
  });
});
