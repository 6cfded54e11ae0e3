/** Tests the WCS with coverages made by GDAL, through plain requests and through the WCS driver of GDAL. */
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

const REQUEST =
  'xmlns:wcs="http://www.opengis.net/wcs/2.0" xmlns:ows="http://www.opengis.net/ows/2.0" service="WCS" version="2.0.1"';

const WIDTH = 60;
const HEIGHT = 40;

describeWithTool('gdal', 'WCS', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('wcs');
  const source = join(folder, 'relief.tif');

  const wcs = (query: string, path = '//geoserver/wcs'): Promise<Reply> =>
    client.server.get(`${path}?service=WCS&version=2.0.1&${query}`, { as: null });

  /** Describes the response with GDAL. */
  async function coverage(query: string) {
    return seen(await wcs(`request=GetCoverage&coverageId=topo__relief&${query}`));
  }

  async function seen(reply: Reply) {
    expect(reply.headers['content-type'], reply.text.slice(0, 500)).toBe('image/tiff');
    const path = join(folder, 'answer.tif');
    await writeFile(path, reply.bytes);
    const reported = await gdalDescription(path);
    const [width, height] = reported.size;
    const window = { column: 0, row: 0, width, height };
    const samples = await gdalWindow(path, folder, 'int16', { window, bands: reported.bands.map((_, index) => index) });
    return { reported, samples: samples.map((band) => Array.from(band, Number)) };
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
      'lists the coverages in the capabilities: %s',
      async (path) => {
        const reply = await wcs('request=GetCapabilities', path);

        expect(reply.status).toBe(200);
        expect(reply.text).toContain('<wcs:Capabilities version="2.0.1"');
        expect(reply.text).toContain('<wcs:CoverageId>topo__relief</wcs:CoverageId>');
      },
    );

    it('omits coverages the caller may not read', async () => {
      await client.server.post('/security/acl/layers.json', '{"topo.relief.r":"ADMIN"}', { type: 'json' });

      const [reported, asked] = [
        await wcs('request=GetCapabilities'),
        await wcs('request=GetCoverage&coverageId=topo__relief'),
      ];
      await client.server.delete('/security/acl/layers/topo.relief.r');

      expect(reported.text).not.toContain('topo__relief');
      expect(asked.text).toContain('NoSuchCoverage');
    });
  });

  const post = (document: string, path = '//geoserver/wcs'): Promise<Reply> =>
    client.server.request('POST', path, {
      as: null,
      type: 'application/xml',
      body: `<?xml version="1.0"?><wcs:${document.replace(' ', ` ${REQUEST} `)}`,
    });

  describe('request documents', () => {
    it('a document returns selected sections of the capabilities', async () => {
      const sections = '<ows:Sections><ows:Section>ServiceMetadata</ows:Section></ows:Sections>';

      const { text } = await post(`GetCapabilities >${sections}</wcs:GetCapabilities>`, '//geoserver/topo/ows');

      expect(text).toContain('<wcs:formatSupported>image/tiff</wcs:formatSupported>');
      expect(text).not.toContain('<wcs:Contents>');
      expect(text).not.toContain('<ows:ServiceIdentification>');
    });

    it('a document returns coverage descriptions', async () => {
      const { text } = await post(
        'DescribeCoverage ><wcs:CoverageId>topo__relief</wcs:CoverageId><wcs:CoverageId>topo__days</wcs:CoverageId></wcs:DescribeCoverage>',
      );

      expect(text.match(/<wcs:CoverageId>[^<]*/g)).toEqual([
        '<wcs:CoverageId>topo__relief',
        '<wcs:CoverageId>topo__days',
      ]);
    });

    it('a document returns coverages with every option that key-value pairs support', async () => {
      const reply = await post(`GetCoverage >
        <wcs:Extension xmlns:s="http://www.opengis.net/WCS_service-extension_scaling/1.0" xmlns:r="http://www.opengis.net/wcs/range-subsetting/1.0" xmlns:int="http://www.opengis.net/WCS_service-extension_interpolation/1.0" xmlns:crs="http://www.opengis.net/wcs/service-extension/crs/1.0">
          <crs:subsettingCrs>http://www.opengis.net/def/crs/EPSG/0/4326</crs:subsettingCrs>
          <s:ScaleToSize><s:TargetAxisSize><s:axis>i</s:axis><s:targetSize>30</s:targetSize></s:TargetAxisSize><s:TargetAxisSize><s:axis>j</s:axis><s:targetSize>20</s:targetSize></s:TargetAxisSize></s:ScaleToSize>
          <r:RangeSubset><r:RangeItem><r:RangeComponent>slope</r:RangeComponent></r:RangeItem><r:RangeItem><r:RangeInterval><r:startComponent>height</r:startComponent><r:endComponent>slope</r:endComponent></r:RangeInterval></r:RangeItem></r:RangeSubset>
          <int:Interpolation><int:globalInterpolation>http://www.opengis.net/def/interpolation/OGC/1/nearest-neighbor</int:globalInterpolation></int:Interpolation>
        </wcs:Extension>
        <wcs:CoverageId>topo__relief</wcs:CoverageId>
        <wcs:DimensionTrim><wcs:Dimension>Long</wcs:Dimension><wcs:TrimLow>11</wcs:TrimLow><wcs:TrimHigh>12.5</wcs:TrimHigh></wcs:DimensionTrim>
        <wcs:DimensionTrim><wcs:Dimension>Lat</wcs:Dimension><wcs:TrimLow>47</wcs:TrimLow><wcs:TrimHigh>48</wcs:TrimHigh></wcs:DimensionTrim>
        <wcs:format>image/tiff</wcs:format>
      </wcs:GetCoverage>`);

      const { reported } = await seen(reply);
      expect(reported.size).toEqual([30, 20]);
      expect(reported.bands).toHaveLength(3);
      expect(reported.geoTransform?.[0]).toBe(11);
    });

    it('a document returns a time slice', async () => {
      const slice =
        '<wcs:DimensionSlice><wcs:Dimension>time</wcs:Dimension><wcs:SlicePoint>2024-01-02T00:00:00Z</wcs:SlicePoint></wcs:DimensionSlice>';

      const reply = await post(
        `GetCoverage ><wcs:CoverageId>topo__days</wcs:CoverageId>${slice}<wcs:format>application/gml+xml</wcs:format></wcs:GetCoverage>`,
      );

      expect(reply.text).toContain('0 0 0 1 2 3 0 0 4 5 6 7 ');
    });
  });

  it('describes the times of a mosaic and the axis that selects them', async () => {
    const { text } = await wcs('request=DescribeCoverage&coverageId=topo__days');

    expect(text).toContain('<gml:EnvelopeWithTimePeriod');
    expect(text).toContain('axisLabels="Lat Long time" uomLabels="Deg Deg s"');
    expect(text).toContain(
      '<gml:beginPosition>2024-01-01T00:00:00.000Z</gml:beginPosition><gml:endPosition>2024-01-02T00:00:00.000Z</gml:endPosition>',
    );
    expect(text).toContain('<wcsgs:TimeDomain default="2024-01-02T00:00:00.000Z">');
    expect(text.match(/<gml:timePosition>[^<]*/g)).toHaveLength(2);
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
    it('returns all samples unchanged', async () => {
      const { reported, samples } = await coverage('');

      expect(reported.geoTransform).toEqual([10, 0.1, 0, 50, 0, -0.1]);
      expect(codeIn(reported.coordinateSystem?.wkt)).toBe('EPSG:4326');
      expect(reported.bands.map(({ noDataValue }) => noDataValue)).toEqual([-99, -99]);
      expect(samples[0]).toEqual(await sourceSamples(0, 0, WIDTH, HEIGHT));
      expect(samples[1]).toEqual(await sourceSamples(0, 0, WIDTH, HEIGHT, 1));
    });

    it.each([
      ['subset=Lat(47,48)&subset=Long(11,12.5)', [10, 20, 15, 10]],
      ['subset=Long(15.95,*)&rangeSubset=slope', [59, 0, 1, 40]],
      ['subset=http://www.opengis.net/def/axis/OGC/0/Lat(49.85)', [0, 1, 60, 1]],
    ] as const)('returns a subset of the samples: %s', async (query, [column, row, width, height]) => {
      const { reported, samples } = await coverage(query);

      expect(reported.size).toEqual([width, height]);
      const band = query.includes('slope') ? 1 : 0;
      expect(samples[0]).toEqual(await sourceSamples(column, row, width, height, band));
    });

    it('returns a subset selected by coordinates of another CRS', async () => {
      const query = 'subsettingCrs=http://www.opengis.net/def/crs/EPSG/0/3857&subset=E(1224000,1390000)';
      const { reported } = await coverage(query);

      // 1,224,000 m are 10.995° east, and 1,390,000 m are 12.487°.
      expect(reported.size).toEqual([16, 40]);
    });

    it.each([
      ['scaleFactor=0.5', [30, 20]],
      ['scaleAxes=i(2),j(0.25)', [120, 10]],
      ['scaleSize=Long(7),Lat(9)', [7, 9]],
      ['scaleExtent=i(10:19),j(0:4)', [10, 5]],
    ] as const)('returns resampled coverages: %s', async (query, size) => {
      expect((await coverage(query)).reported.size).toEqual(size);
    });

    it('returns a coverage in another CRS', async () => {
      const { reported } = await coverage('outputCrs=http://www.opengis.net/def/crs/EPSG/0/32632&interpolation=linear');

      expect(codeIn(reported.coordinateSystem?.wkt)).toBe('EPSG:32632');
      expect(reported.geoTransform?.[0]).toBeGreaterThan(570_000);
      expect(reported.geoTransform?.[0]).toBeLessThan(580_000);
    });

    it('accepts alternative axis names and a CRS per axis in subsets', async () => {
      const { reported } = await coverage('subset=x,EPSG:4326(11,12.5)&subset=latitude,EPSG:4326(47,*)');

      expect(reported.size).toEqual([15, 30]);
    });

    it('returns unpacked samples on request', async () => {
      const [packed, unpacked] = [
        await wcs('request=GetCoverage&coverageId=topo__relief'),
        await wcs('request=GetCoverage&coverageId=topo__relief&geotiff:compression=None'),
      ];

      expect(unpacked.bytes.length).toBeGreaterThan(WIDTH * HEIGHT * 4);
      expect((await seen(unpacked)).samples).toEqual((await seen(packed)).samples);
    });

    it('returns samples as text', async () => {
      const reply = await wcs(
        'request=GetCoverage&coverageId=topo__relief&subset=Lat(49.85)&subset=Long(10,10.3)&format=application/gml%2Bxml',
      );

      const [height, slope] = [await sourceSamples(0, 1, 3, 1), await sourceSamples(0, 1, 3, 1, 1)];
      const tuples = height.map((each, index) => `${each},${slope[index]}`).join(' ');
      expect(reply.headers['content-type']).toBe('application/gml+xml');
      expect(reply.text).toContain(`<gml:tupleList cs="," ts=" " decimal=".">${tuples} </gml:tupleList>`);
      expect(reply.text).toContain('<gml:high>0 2</gml:high>');
      expect(reply.text).toContain('<swe:field name="slope">');
    });

    it('returns a document and a file in one multipart message', async () => {
      const query = 'request=GetCoverage&coverageId=topo__relief&subset=Lat(47,48)';

      const [alone, both] = [await wcs(query), await wcs(`${query}&mediaType=multipart/related&format=image/tiff`)];

      const type = String(both.headers['content-type']);
      expect(type).toContain('multipart/related');
      const boundary = /boundary="([^"]+)"/.exec(type)?.[1] ?? '';
      const [, document = '', file = '', end] = both.bytes.toString('latin1').split(`--${boundary}`);
      expect(document).toContain('Content-Type: application/gml+xml');
      expect(document).toContain('<gml:fileReference>cid:topo__relief.tif</gml:fileReference>');
      expect(document).toContain('<gml:lowerCorner>47 10</gml:lowerCorner>');
      expect(file).toContain('Content-ID: <topo__relief.tif>');
      expect(file.slice(file.indexOf('\r\n\r\n') + 4, -2)).toBe(alone.bytes.toString('latin1'));
      expect(end).toBe('--\r\n');
    });

    it('returns images of samples that fit and explains why other samples do not', async () => {
      const days = (format: string) =>
        wcs(`request=GetCoverage&coverageId=topo__days&subset=time("2024-01-01")&format=${format}`);
      const [png, jpeg, tooDeep] = [
        await days('image/png'),
        await days('image/jpeg'),
        await wcs('request=GetCoverage&coverageId=topo__relief&format=image/png'),
      ];

      expect(png.headers['content-type']).toBe('image/png');
      const { default: sharp } = await import('sharp');
      const { data } = await sharp(png.bytes).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
      expect((await sharp(png.bytes).metadata()).channels).toBe(1);
      expect([...data.subarray(0, 6)]).toEqual([0, 1, 2, 3, 0, 0]);
      expect((await sharp(jpeg.bytes).metadata()).format).toBe('jpeg');
      expect(tooDeep.text).toContain(
        'image/png supports one to four bands of uint8 or uint16; this coverage has 2 bands of int16.',
      );
    });

    it('returns the granules of a mosaic for a time', async () => {
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
      // The no-data value is one that no sample has.
      expect(await sizes('&subset=time("2024-01-02T00:00:00Z")')).toEqual([255, 255, 0, 1, 2, 3]);
      expect(await sizes('&subset=time("2024-01-01","2024-01-01T12:00:00Z")')).toEqual([0, 1, 2, 3, 255, 255]);
    });
  });

  it.each([
    ['request=GetCoverage&coverageId=topo__none', 404, 'NoSuchCoverage'],
    ['request=GetCoverage', 400, 'MissingParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Height(1,2)', 404, 'InvalidAxisLabel'],
    ['request=DescribeCoverage&coverageId=topo__relief,topo__none', 404, 'NoSuchCoverage'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(1,2)', 404, 'InvalidSubsetting'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(48,47)', 404, 'InvalidSubsetting'],
    ['request=GetCoverage&coverageId=topo__days&subset=time("2025-01-01")', 404, 'InvalidSubsetting'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat(a,b)', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&subset=Lat', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&rangeSubset=blue', 404, 'NoSuchField'],
    ['request=GetCoverage&coverageId=topo__relief&format=image/webp', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&mediaType=text/plain', 400, 'InvalidParameterValue'],
    ['request=GetCoverage&coverageId=topo__relief&scaleFactor=0', 404, 'InvalidScaleFactor'],
    ['request=GetCoverage&coverageId=topo__relief&scaleSize=i(1.5)', 404, 'InvalidExtent'],
    ['request=GetCoverage&coverageId=topo__relief&scaleExtent=i(9:3)', 404, 'InvalidExtent'],
    ['request=GetCoverage&coverageId=topo__relief&scaleAxes=k(2)', 404, 'ScaleAxisUndefined'],
    ['request=GetCoverage&coverageId=topo__relief&scaleAxes=i(2)&scaleFactor=2', 400, 'OperationProcessingFailed'],
    ['request=GetCoverage&coverageId=topo__relief&interpolation=magic', 404, 'InterpolationMethodNotSupported'],
    [
      'request=GetCoverage&coverageId=topo__relief&subsettingCrs=EPSG:1&subset=x(1,2)',
      404,
      'SubsettingCrs-NotSupported',
    ],
    ['request=GetCoverage&coverageId=topo__relief&cql_filter=a=1', 400, 'OptionNotSupported'],
    ['request=GetCoverage&coverageId=topo__relief&geotiff:compression=LZW', 400, 'InvalidParameterValue'],
    ['request=GetCapabilities&sections=Everything', 400, 'InvalidParameterValue'],
    ['request=GetCapabilities&acceptVersions=3.0.0', 400, 'VersionNegotiationFailed'],
    ['request=GetCoverage&coverageId=topo__relief&scaleFactor=100000', 400, 'NoApplicableCode'],
    ['request=GetCoverage&coverageId=topo__relief&outputCrs=EPSG:1', 404, 'OutputCrs-NotSupported'],
    ['request=GetEverything', 400, 'OperationNotSupported'],
  ])('rejects %s', async (query, status, code) => {
    const reply = await wcs(query);

    expect({ status: reply.status, code: /exceptionCode="([^"]*)"/.exec(reply.text)?.[1] }).toEqual({ status, code });
  });

  it('serves coverages that the GDAL driver reads with the same content as the source', async () => {
    const xml = join(folder, 'service.xml');
    const address = `http://127.0.0.1:${client.port}/geoserver/wcs?`;
    await writeFile(
      xml,
      `<WCS_GDAL><ServiceURL>${address}</ServiceURL><Version>2.0.1</Version><CoverageName>topo__relief</CoverageName></WCS_GDAL>`,
    );

    const reported = await gdalDescription(xml);

    expect(reported.size).toEqual([WIDTH, HEIGHT]);
    const window = { column: 5, row: 6, width: 20, height: 15 };
    const [samples] = await gdalWindow(xml, folder, 'int16', { window, bands: [0] });
    expect(Array.from(samples ?? [], Number)).toEqual(await sourceSamples(5, 6, 20, 15));
  });
});
