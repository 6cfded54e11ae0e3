/** QGIS reads the samples of coverages in both old versions of WCS. */
import { beforeAll, expect, it } from 'vitest';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { geotiffBytes, granuleBytes } from '../support/tiff-bytes.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { runQgis } from './run-qgis.ts';

interface Asked {
  readonly box: readonly number[];
  readonly size: readonly [number, number];
}

/**
 * In meters, and in degrees with latitudes first; samples are numbered row by row. QGIS first reads 6 by 3 samples and
 * uses their no-data value for all requests: it is 0 if the coverage is smaller and has no no-data value of its own.
 */
const coverages = {
  hills: {
    file: geotiffBytes(6, 4, (index) => index),
    crs: 'EPSG:32633',
    first: 0,
    size: [6, 4],
    extent: [500_000, 4_999_960, 500_060, 5_000_000],
  },
  relief: {
    file: granuleBytes({ left: 10, top: 50, pixel: 0.5, epsg: 4326, value: (index) => index + 1 }),
    crs: 'EPSG:4326',
    first: 1,
    size: [4, 4],
    extent: [10, 48, 12, 50],
  },
} as const;
type Name = keyof typeof coverages;

const formats = { '1.0.0': 'GeoTIFF', '1.1.1': 'image/tiff' } as const;

describeWithTool('qgis', 'QGIS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('qgis-rasters');
  const requests: string[] = [];
  beforeAll(async () => {
    const { server } = client;
    await server.post('/workspaces', '{"workspace":{"name":"topo"}}', { type: 'json' });
    for (const [name, { file }] of Object.entries(coverages)) {
      const path = `/workspaces/topo/coveragestores/${name}/file.geotiff`;
      const uploaded = await server.request('PUT', path, { type: 'image/tiff', body: file });
      expect(uploaded.status, uploaded.text).toBe(201);
    }
    server.server.app.server.prependListener('request', ({ url = '' }) => requests.push(url));
  });

  async function read(name: Name, version: keyof typeof formats, asked: readonly Asked[]) {
    const url = `http://127.0.0.1:${client.port}/geoserver/wcs`;
    const uri = `cache=AlwaysNetwork&crs=${coverages[name].crs}&format=${formats[version]}&identifier=topo:${name}&version=${version}&url=${url}`;
    const layers = asked.map((each) => ({ uri, ...each }));
    return runQgis<Readonly<Record<string, unknown>>>(folder, 'read_rasters.py', layers);
  }

  it.each([
    ['1.0.0', 'hills'],
    ['1.0.0', 'relief'],
    ['1.1.1', 'hills'],
    ['1.1.1', 'relief'],
  ] as const)('reads the samples of a coverage and of parts with WCS %s: %s', async (version, name) => {
    const { crs, first, size, extent } = coverages[name];
    const [width, height] = size;
    const [left, , right, top] = extent;
    const pixel = (right - left) / width;
    const box = [left + pixel, top - 3 * pixel, left + 3 * pixel, top - pixel];
    requests.length = 0;

    const found = await read(name, version, [
      { box: extent, size },
      { box, size: [2, 2] },
      // Each sample becomes two by two.
      { box, size: [4, 4] },
    ]);

    const described = { size: [...size], crs, extent: [...extent] };
    const rows = (columns: readonly number[], lines: readonly number[]) =>
      lines.map((row) => columns.map((column) => row * width + column + first));
    const all = (count: number) => Array.from({ length: count }, (_, index) => index);
    expect(found).toEqual([
      { ...described, samples: rows(all(width), all(height)) },
      { ...described, samples: rows([1, 2], [1, 2]) },
      { ...described, samples: rows([1, 1, 2, 2], [1, 1, 2, 2]) },
    ]);
    const versions = requests
      .filter((each) => /REQUEST=GetCoverage/i.test(each))
      .map((each) => /VERSION=([\d.]+)/i.exec(each)?.[1]);
    expect(new Set(versions)).toEqual(new Set([version]));
  });
});
