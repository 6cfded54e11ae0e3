/** The WCS with coverages that GDAL made, asked by hand and by GDAL's own driver. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runGdal } from '../support/gdal.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { codeIn, gdalDescription, gdalWindow, writeLandscape } from '../support/rasters.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import type { Reply } from '../support/test-server.ts';
import { granuleBytes } from '../support/tiff-bytes.ts';
import { describeWithTool } from '../support/with-tool.ts';

const WIDTH = 60;
const HEIGHT = 40;

describeWithTool('gdal', 'the WCS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('wcs');
  const source = join(folder, 'relief.tif');

  const wcs = (query: string, path = '//geoserver/wcs'): Promise<Reply> =>
    client.server.get(`${path}?service=WCS&version=2.0.1&${query}`, { as: null });

  /** The answer as GDAL sees it. */
  async function coverage(query: string) {
    const reply = await wcs(`request=GetCoverage&coverageId=topo__relief&${query}`);
    expect(reply.headers['content-type'], reply.text.slice(0, 500)).toBe('image/tiff');
    const path = join(folder, 'answer.tif');
    await writeFile(path, reply.bytes);
    const told = await gdalDescription(path);
    const [width, height] = told.size;
    const window = { column: 0, row: 0, width, height };
    const samples = await gdalWindow(path, folder, 'int16', { window, bands: told.bands.map((_, index) => index) });
    return { told, samples: samples.map((band) => Array.from(band, Number)) };
  }

  async function sourceSamples(column: number, row: number, width: number, height: number, band = 0) {
    const [samples] = await gdalWindow(source, folder, 'int16', {
      window: { column, row, width, height },
      bands: [band],
    });
    return Array.from(samples ?? [], Number);
  }

  beforeAll(async () => {
    const { server } = client;
    const vrt = await writeLandscape(folder, 'relief', {
      ...{ width: WIDTH, height: HEIGHT, bands: 2, type: 'Int16' },
      elements: '<SRS>EPSG:4326</SRS><GeoTransform>10, 0.1, 0, 50, 0, -0.1</GeoTransform>',
      bandElements: (band) =>
        `<Description>${band === 0 ? 'height' : 'slope'}</Description><NoDataValue>-99</NoDataValue>`,
    });
    await runGdal('gdal_translate', ['-q', vrt, source]);
    await server.post('/workspaces', '{"workspace":{"name":"topo"}}', { type: 'json' });
    const stores = '/workspaces/topo/coveragestores';
    const put = (path: string, type: string, body: Buffer) =>
      server.request('PUT', `${stores}/${path}`, { type, body });
    const relief = await put('relief/file.geotiff', 'image/tiff', await readFile(source));
    expect(relief.status, relief.text).toBe(201);
    const granule = (left: number, day: number) =>
      granuleBytes({ left, top: 45, pixel: 1, epsg: 4326, date: `2024:01:0${day} 00:00:00` });
    const mosaic = zipOfFiles({
      'indexer.properties': Buffer.from(
        'TimeAttribute=day\nSchema=*the_geom:Polygon,location:String,day:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[days](day)\n',
      ),
      'days.properties': Buffer.from('regex=[0-9]{8}'),
      'a_20240101.tif': granule(0, 1),
      'b_20240102.tif': granule(2, 2),
    });
    const days = await put('days/file.imagemosaic', 'application/zip', mosaic);
    expect(days.status, days.text).toBe(200);
  });

  describe('GetCapabilities', () => {
    it.each(['//geoserver/wcs', '//geoserver/ows', '//geoserver/topo/wcs', '//geoserver/topo/relief/wcs'])(
      'tells of coverages: %s',
      async (path) => {
        const reply = await wcs('request=GetCapabilities', path);

        expect(reply.status).toBe(200);
        expect(reply.text).toContain('<wcs:Capabilities version="2.0.1"');
        expect(reply.text).toContain('<wcs:CoverageId>topo__relief</wcs:CoverageId>');
      },
    );

    it('does not tell of what somebody may not see', async () => {
      await client.server.post('/security/acl/layers.json', '{"topo.relief.r":"ADMIN"}', { type: 'json' });

      const [told, asked] = [
        await wcs('request=GetCapabilities'),
        await wcs('request=GetCoverage&coverageId=topo__relief'),
      ];
      await client.server.delete('/security/acl/layers/topo.relief.r');

      expect(told.text).not.toContain('topo__relief');
      expect(asked.text).toContain('NoSuchCoverage');
    });
  });

  it('describes the grid and the bands', async () => {
    const { text } = await wcs('request=DescribeCoverage&coverageId=topo__relief');

    expect(text).toContain('axisLabels="Lat Long"');
    expect(text).toContain('<gml:lowerCorner>46 10</gml:lowerCorner><gml:upperCorner>50 16</gml:upperCorner>');
    expect(text).toContain('<gml:high>39 59</gml:high>');
    expect(text).toContain('<swe:field name="height">');
    expect(text).toContain('<swe:nilValue reason="http://www.opengis.net/def/nil/OGC/0/unknown">-99');
  });

  describe('GetCoverage', () => {
    it('gives all samples as they are', async () => {
      const { told, samples } = await coverage('');

      expect(told.geoTransform).toEqual([10, 0.1, 0, 50, 0, -0.1]);
      expect(codeIn(told.coordinateSystem?.wkt)).toBe('EPSG:4326');
      expect(told.bands.map(({ noDataValue }) => noDataValue)).toEqual([-99, -99]);
      expect(samples[0]).toEqual(await sourceSamples(0, 0, WIDTH, HEIGHT));
      expect(samples[1]).toEqual(await sourceSamples(0, 0, WIDTH, HEIGHT, 1));
    });

    it.each([
      ['subset=Lat(47,48)&subset=Long(11,12.5)', [10, 20, 15, 10]],
      ['subset=Long(15.95,*)&rangeSubset=slope', [59, 0, 1, 40]],
      ['subset=http://www.opengis.net/def/axis/OGC/0/Lat(49.85)', [0, 1, 60, 1]],
    ] as const)('gives a part of them: %s', async (query, [column, row, width, height]) => {
      const { told, samples } = await coverage(query);

      expect(told.size).toEqual([width, height]);
      const band = query.includes('slope') ? 1 : 0;
      expect(samples[0]).toEqual(await sourceSamples(column, row, width, height, band));
    });

    it('takes a part by the coordinates of another system', async () => {
      const query = 'subsettingCrs=http://www.opengis.net/def/crs/EPSG/0/3857&subset=E(1224000,1390000)';
      const { told } = await coverage(query);

      // 1,224,000 m are 10.995° east, and 1,390,000 m are 12.487°.
      expect(told.size).toEqual([16, 40]);
    });

    it.each([
      ['scaleFactor=0.5', [30, 20]],
      ['scaleAxes=i(2),j(0.25)', [120, 10]],
      ['scaleSize=Long(7),Lat(9)', [7, 9]],
      ['scaleExtent=i(10:19),j(0:4)', [10, 5]],
    ] as const)('gives coarser or finer samples: %s', async (query, size) => {
      expect((await coverage(query)).told.size).toEqual(size);
    });

    it('gives them in another system', async () => {
      const { told } = await coverage('outputCrs=http://www.opengis.net/def/crs/EPSG/0/32632&interpolation=linear');

      expect(codeIn(told.coordinateSystem?.wkt)).toBe('EPSG:32632');
      expect(told.geoTransform?.[0]).toBeGreaterThan(570_000);
      expect(told.geoTransform?.[0]).toBeLessThan(580_000);
    });

    it('gives the granules of a mosaic that are of a time', async () => {
      const sizes = async (time: string) => {
        const reply = await wcs(`request=GetCoverage&coverageId=topo__days${time}`);
        const path = join(folder, 'days.tif');
        await writeFile(path, reply.bytes);
        const [samples] = await gdalWindow(path, folder, 'uint8', {
          window: { column: 0, row: 0, width: 6, height: 1 },
          bands: [0],
        });
        return Array.from(samples ?? [], Number);
      };

      expect(await sizes('')).toEqual([0, 1, 2, 3, 2, 3]);
      expect(await sizes('&subset=time("2024-01-02T00:00:00Z")')).toEqual([0, 0, 0, 1, 2, 3]);
      expect(await sizes('&subset=time("2024-01-01","2024-01-01T12:00:00Z")')).toEqual([0, 1, 2, 3, 0, 0]);
    });
  });

  it.each([
    ['request=GetCoverage&coverageId=topo__none', 404, 'NoSuchCoverage'],
    ['request=GetCoverage', 400, 'MissingParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Height(1,2)', 404, 'InvalidAxisLabel'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(1,2)', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(48,47)', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(a,b)', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&rangeSubset=blue', 404, 'NoSuchField'],
    ['request=GetCoverage&coverageId=topo__relief&format=image/png', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&scaleFactor=0', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&scaleFactor=100000', 400, 'NoApplicableCode'],
    ['request=GetCoverage&coverageId=topo__relief&outputCrs=EPSG:1', 404, 'OutputCrs-NotSupported'],
    ['request=GetEverything', 400, 'OperationNotSupported'],
  ])('refuses %s', async (query, status, code) => {
    const reply = await wcs(query);

    expect({ status: reply.status, code: /exceptionCode="([^"]*)"/.exec(reply.text)?.[1] }).toEqual({ status, code });
  });

  it('is read by GDAL’s driver as the source is', async () => {
    const xml = join(folder, 'service.xml');
    const address = `http://127.0.0.1:${client.port}/geoserver/wcs?`;
    await writeFile(
      xml,
      `<WCS_GDAL><ServiceURL>${address}</ServiceURL><Version>2.0.1</Version><CoverageName>topo__relief</CoverageName></WCS_GDAL>`,
    );

    const told = await gdalDescription(xml);

    expect(told.size).toEqual([WIDTH, HEIGHT]);
    const window = { column: 5, row: 6, width: 20, height: 15 };
    const [samples] = await gdalWindow(xml, folder, 'int16', { window, bands: [0] });
    expect(Array.from(samples ?? [], Number)).toEqual(await sourceSamples(5, 6, 20, 15));
  });
});
