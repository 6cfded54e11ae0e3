/** OWSLib finds layers and styles in the capabilities of both WMS versions and draws them, and reads WCS coverages. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { publishSquares } from '../support/maps.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

const run = promisify(execFile);

interface Found {
  readonly layers: Readonly<Record<string, { readonly box: readonly number[]; readonly styles: readonly string[] }>>;
  readonly formats: readonly string[];
  readonly picture: string;
  readonly info: string;
}

describeWithTool('owslib', 'OWSLib as a WMS and WCS client', () => {
  const client = useSocketClient();

  beforeAll(() => publishSquares(client.server));

  async function publishHills(): Promise<void> {
    const uploaded = await client.server.request('PUT', '/workspaces/topo/coveragestores/hills/file.geotiff', {
      ...{ type: 'image/tiff', body: geotiffBytes(6, 4) },
    });
    expect(uploaded.status, uploaded.text).toBe(201);
  }

  it.each(['1.1.1', '1.3.0'])('OWSLib reads maps of WMS %s', async (version) => {
    const script = join(import.meta.dirname, 'python/read_wms.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/wms`;

    const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url, version]);

    const { layers, formats, picture, info } = JSON.parse(stdout) as Found;
    expect(layers).toEqual({
      'topo:west': { box: [0, 0, 5, 10], styles: ['topo:red'] },
      'topo:east': { box: [5, 0, 10, 10], styles: ['topo:blue'] },
    });
    expect(formats).toContain('image/png');
    const { default: sharp } = await import('sharp');
    const { data, info: size } = await sharp(Buffer.from(picture, 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colour = (x: number, y: number) => [...data.subarray((y * size.width + x) * 3).subarray(0, 3)];
    expect([colour(4, 4), colour(15, 4)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(info).toContain('kind = high');
  });

  it('OWSLib reads coverages of WCS 2.0.1', async () => {
    await publishHills();
    const script = join(import.meta.dirname, 'python/read_wcs.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/wcs`;

    const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url]);

    const { coverage, ...reported } = JSON.parse(stdout) as Record<string, unknown>;
    expect(reported).toEqual({
      title: 'Web Coverage Service',
      operations: ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'],
      coverages: ['topo__hills'],
      formats: [
        ...['image/tiff', 'application/gml+xml', 'image/png', 'image/jpeg'],
        'image/tiff;application=geotiff;profile=cloud-optimized',
      ],
      axes: ['i', 'j'],
      highest: ['5', '3'],
      origin: ['500005', '4999995'],
      boxes: [
        { nativeSrs: 'http://www.opengis.net/def/crs/EPSG/0/32633', bbox: [500_000, 4_999_960, 500_060, 5_000_000] },
      ],
    });
    const { default: sharp } = await import('sharp');
    const { data, info } = await sharp(Buffer.from(String(coverage), 'base64'))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, ...data]).toEqual([2, 2, 7, 8, 13, 14]);
  });

  it('OWSLib reads coverages of WCS 1.0.0 and 1.1.1', async () => {
    await publishHills();
    const script = join(import.meta.dirname, 'python/read_wcs1.py');
    const url = `http://127.0.0.1:${client.port}/geoserver/wcs`;
    const read = async (version: string) => {
      const { stdout } = await run(tools.owslib.find() ?? 'python3', [script, url, version]);
      const { files, ...reported } = JSON.parse(stdout) as { readonly files: readonly string[] };
      return { reported, files: files.map((each) => Buffer.from(each, 'base64')) };
    };
    const { default: sharp } = await import('sharp');
    const list = async (file: Buffer | undefined) => {
      const { data, info } = await sharp(file).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
      return [info.width, info.height, ...data];
    };

    const [old, newer] = [await read('1.0.0'), await read('1.1.1')];

    const common = {
      title: 'Web Coverage Service',
      operations: ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'],
      coverages: ['topo:hills'],
      box: [15, 45.153, 15.001, 45.153],
    };
    expect(old.reported).toEqual({
      ...common,
      formats: ['GeoTIFF', 'PNG', 'JPEG', 'GML', 'COG'],
      grid: [
        ['5', '3'],
        ['500005', '4999995'],
        [
          ['10', '0'],
          ['0', '-10'],
        ],
      ],
    });
    expect(await Promise.all(old.files.map(list))).toEqual([[2, 2, 7, 8, 13, 14]]);
    expect(newer.reported).toEqual({
      ...common,
      formats: [],
      grid: ['urn:ogc:def:crs:EPSG::32633', 'urn:ogc:def:method:WCS:1.1:2dSimpleGrid', '500005 4999995', '10 -10'],
    });
    const parts = newer.files.map((file) =>
      file.subarray(file.indexOf('\r\n\r\n', file.indexOf('Content-ID: <theCoverage>')) + 4),
    );
    const [whole, part] = await Promise.all(parts.map(list));
    expect(whole?.slice(0, 8)).toEqual([6, 4, 0, 1, 2, 3, 4, 5]);
    expect(part).toEqual([2, 2, 7, 8, 13, 14]);
  });
});
