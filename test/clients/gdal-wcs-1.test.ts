/** Tests WCS 1.0.0 and 1.1.1 with the WCS driver of GDAL and with the requests of QGIS. */
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
const URN = 'urn:ogc:def:crs:EPSG::4326';
const whole = { column: 0, row: 0, width: WIDTH, height: HEIGHT };

/** One coverage in degrees, with north first in its URN, and one in metres. */
const places = {
  relief: { epsg: 4326, transform: [10, 0.1, 0, 50, 0, -0.1] },
  plain: { epsg: 32632, transform: [500_000, 30, 0, 5_300_000, 0, -30] },
} as const;
type Name = keyof typeof places;

describeWithTool('gdal', 'WCS 1.0.0 and 1.1.1', () => {
  const client = useSocketClient();
  const folder = useTemporaryFolder('wcs-1');

  beforeAll(async () => {
    const { server } = client;
    await server.post('/workspaces', '{"workspace":{"name":"topo"}}', { type: 'json' });
    for (const [name, { epsg, transform }] of Object.entries(places)) {
      const vrt = await writeLandscape(folder, name, {
        ...{ width: WIDTH, height: HEIGHT, bands: 2, type: 'Int16' },
        elements: `<SRS>EPSG:${epsg}</SRS><GeoTransform>${transform.join(', ')}</GeoTransform>`,
        bandElements: (band) =>
          `<Description>${band === 0 ? 'height' : 'slope'}</Description><NoDataValue>-99</NoDataValue>`,
      });
      await runGdal('gdal_translate', ['-q', vrt, join(folder, `${name}.tif`)]);
      const body = await readFile(join(folder, `${name}.tif`));
      const path = `/workspaces/topo/coveragestores/${name}/file.geotiff`;
      const uploaded = await server.request('PUT', path, { type: 'image/tiff', body });
      expect(uploaded.status, uploaded.text).toBe(201);
    }
    const granule = (left: number, day: number) =>
      granuleBytes({ left, top: 45, pixel: 1, epsg: 4326, date: `2024:01:0${day} 00:00:00` });
    const days = await server.request('PUT', '/workspaces/topo/coveragestores/days/file.imagemosaic', {
      type: 'application/zip',
      body: zipOfFiles({
        'indexer.properties': Buffer.from(
          'TimeAttribute=day\nSchema=*the_geom:Polygon,location:String,day:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[days](day)\n',
        ),
        'days.properties': Buffer.from('regex=[0-9]{8}'),
        'a_20240101.tif': granule(0, 1),
        'b_20240102.tif': granule(2, 2),
      }),
    });
    expect(days.status, days.text).toBe(200);
  });

  const ask = (query: string, path = '//geoserver/wcs'): Promise<Reply> =>
    client.server.get(`${path}?service=WCS&${query}`, { as: null });

  const post = (body: string): Promise<Reply> =>
    client.server.request('POST', '//geoserver/wcs', { as: null, type: 'text/xml', body });

  async function readSamples(path: string, window = whole, bands: readonly number[] = [0, 1]) {
    const read = await gdalWindow(path, folder, 'int16', { window, bands });
    return read.map((band) => Array.from(band, Number));
  }

  /** Describes a file with GDAL. */
  async function describeFile(bytes: Buffer) {
    const path = join(folder, 'answer.tif');
    await writeFile(path, bytes);
    const { size, geoTransform = [], bands, coordinateSystem } = await gdalDescription(path);
    const [width, height] = size;
    const samples = await readSamples(
      path,
      { column: 0, row: 0, width, height },
      bands.map((_, index) => index),
    );
    const transform = geoTransform.map((each) => Math.round(each * 1e9) / 1e9);
    return { size, transform, samples, code: codeIn(coordinateSystem?.wkt) };
  }

  async function seen(reply: Reply) {
    expect(reply.headers['content-type'], reply.text.slice(0, 500)).toBe('image/tiff');
    return describeFile(reply.bytes);
  }

  /** Splits a multipart response into its parts, each with headers and body. */
  function splitParts(reply: Reply) {
    const boundary = /boundary="([^"]+)"/.exec(String(reply.headers['content-type']))?.[1];
    expect(boundary, reply.text.slice(0, 500)).toBeDefined();
    const parts = reply.bytes.toString('latin1').split(`--${boundary}`).slice(1, -1);
    return parts.map((part) => {
      const end = part.indexOf('\r\n\r\n');
      return { head: part.slice(2, end), body: Buffer.from(part.slice(end + 4, -2), 'latin1') };
    });
  }

  async function seenFile(reply: Reply) {
    return describeFile(splitParts(reply)[1]?.body ?? Buffer.alloc(0));
  }

  const get10 = (query: string) =>
    ask(`version=1.0.0&request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${query}`);
  const get11 = (query: string) =>
    ask(`version=1.1.1&request=GetCoverage&identifier=topo:relief&format=image/tiff&${query}`);

  describe('the GDAL driver', () => {
    const writeService = async (name: Name, version: string) => {
      const xml = join(folder, `${name}-${version}.xml`);
      const address = `http://127.0.0.1:${client.port}/geoserver/wcs?`;
      await writeFile(
        xml,
        `<WCS_GDAL><ServiceURL>${address}</ServiceURL><Version>${version}</Version><CoverageName>topo:${name}</CoverageName></WCS_GDAL>`,
      );
      return xml;
    };

    it.each([
      ['1.0.0', 'relief'],
      ['1.0.0', 'plain'],
      ['1.1.1', 'relief'],
      ['1.1.1', 'plain'],
    ] as const)('reads the samples of the source with version %s: %s', async (version, name) => {
      const xml = await writeService(name, version);
      const source = join(folder, `${name}.tif`);

      const reported = await gdalDescription(xml);
      const window = { column: 5, row: 6, width: 20, height: 15 };

      expect(reported.size).toEqual([WIDTH, HEIGHT]);
      expect(reported.bands).toHaveLength(2);
      expect(codeIn(reported.coordinateSystem?.wkt)).toBe(`EPSG:${places[name].epsg}`);
      for (const [index, value] of places[name].transform.entries()) {
        expect(reported.geoTransform?.[index]).toBeCloseTo(value, 9);
      }
      expect(await readSamples(xml)).toEqual(await readSamples(source));
      expect(await readSamples(xml, window)).toEqual(await readSamples(source, window));
    });
  });

  it.each([
    ['', '<wcs:Capabilities version="2.0.1"'],
    ['version=3.1.0', '<wcs:Capabilities version="2.0.1"'],
    ['version=1.1.0', '<wcs:Capabilities version="1.1.1"'],
    ['version=1.1.2', '<wcs:Capabilities version="1.1.1"'],
    ['version=0.9', '<wcs:WCS_Capabilities version="1.0.0"'],
    ['acceptVersions=9.9.9,1.0.0', '<wcs:WCS_Capabilities version="1.0.0"'],
    ['acceptVersions=1.1.1,2.0.1', '<wcs:Capabilities version="1.1.1"'],
    ['acceptVersions=9.9.9', 'VersionNegotiationFailed'],
  ])('negotiates the version of capabilities: %s', async (version, expected) => {
    expect((await ask(`request=GetCapabilities&${version}`, '//geoserver/topo/ows')).text).toContain(expected);
  });

  it('lists coverages in the capabilities of each version, without those that the caller may not read', async () => {
    const list = async (version: string) => (await ask(`version=${version}&request=GetCapabilities`)).text;
    const [briefs, summaries] = [await list('1.0.0'), await list('1.1.1')];

    expect(briefs).toContain(
      '<wcs:name>topo:relief</wcs:name><wcs:label>relief</wcs:label>\n<wcs:lonLatEnvelope srsName="urn:ogc:def:crs:OGC:1.3:CRS84"><gml:pos>10 46</gml:pos><gml:pos>16 50</gml:pos></wcs:lonLatEnvelope>',
    );
    expect(summaries).toContain('<wcs:Identifier>topo:relief</wcs:Identifier>');
    expect(summaries.match(/<ows:ServiceTypeVersion>[^<]*/g)?.join(' ')).toBe(
      '<ows:ServiceTypeVersion>2.0.1 <ows:ServiceTypeVersion>1.1.1 <ows:ServiceTypeVersion>1.0.0',
    );

    await client.server.post('/security/acl/layers.json', '{"topo.relief.r":"ADMIN"}', { type: 'json' });
    const hidden = [
      await list('1.0.0'),
      await list('1.1.1'),
      (await ask('version=1.0.0&request=DescribeCoverage')).text,
      (await get10(`bbox=10,46,16,50&crs=EPSG:4326&width=6&height=4`)).text,
      (await get11(`boundingBox=46,10,50,16,${URN}`)).text,
    ];
    await client.server.delete('/security/acl/layers/topo.relief.r');

    expect(hidden.map((text) => /topo:(?!relief)|Unknown coverage 'topo:relief'/.exec(text)?.[0])).toEqual([
      'topo:',
      'topo:',
      'topo:',
      "Unknown coverage 'topo:relief'",
      "Unknown coverage 'topo:relief'",
    ]);
    expect(hidden.slice(0, 3).filter((text) => text.includes('topo:relief'))).toEqual([]);
  });

  describe('descriptions', () => {
    it('of version 1.0.0 have the grid with x first, the bands, the CRSs, the formats and the times', async () => {
      const { text } = await ask('version=1.0.0&request=DescribeCoverage&coverage=topo:relief,topo:days');

      for (const part of [
        '<gml:Envelope srsName="EPSG:4326"><gml:pos>10 46</gml:pos><gml:pos>16 50</gml:pos></gml:Envelope>',
        '<gml:low>0 0</gml:low><gml:high>59 39</gml:high>',
        '<gml:pos>10.05 49.95</gml:pos></gml:origin><gml:offsetVector>0.1 0</gml:offsetVector><gml:offsetVector>0 -0.1</gml:offsetVector>',
        '<wcs:name>Band</wcs:name><wcs:label>Band</wcs:label><wcs:values><wcs:singleValue>1</wcs:singleValue><wcs:singleValue>2</wcs:singleValue></wcs:values>',
        '<wcs:nullValues><wcs:singleValue>-99</wcs:singleValue></wcs:nullValues>',
        '<wcs:requestResponseCRSs>EPSG:4326</wcs:requestResponseCRSs><wcs:requestResponseCRSs>EPSG:3857</wcs:requestResponseCRSs><wcs:nativeCRSs>EPSG:4326</wcs:nativeCRSs>',
        '<wcs:formats>GeoTIFF</wcs:formats><wcs:formats>PNG</wcs:formats>',
        '<wcs:temporalDomain><gml:timePosition>2024-01-01T00:00:00.000Z</gml:timePosition>',
      ]) {
        expect(text).toContain(part);
      }
      const all = await ask('version=1.0.0&request=DescribeCoverage');
      expect(all.text.match(/<wcs:CoverageOffering>/g)).toHaveLength(3);
    });

    it('of version 1.1.1 have the grid in the axis order of the CRS and the keys of bands', async () => {
      const { text } = await ask('version=1.1.1&request=DescribeCoverage&identifiers=topo:relief');

      for (const part of [
        `<ows:BoundingBox crs="${URN}" dimensions="2"><ows:LowerCorner>46.05 10.05</ows:LowerCorner><ows:UpperCorner>49.95 15.95</ows:UpperCorner>`,
        `<ows:BoundingBox crs="${URN}" dimensions="2"><ows:LowerCorner>46 10</ows:LowerCorner><ows:UpperCorner>50 16</ows:UpperCorner>`,
        '<ows:BoundingBox crs="urn:ogc:def:crs:OGC::imageCRS" dimensions="2"><ows:LowerCorner>1 1</ows:LowerCorner><ows:UpperCorner>60 40</ows:UpperCorner>',
        `<wcs:GridBaseCRS>${URN}</wcs:GridBaseCRS><wcs:GridType>urn:ogc:def:method:WCS:1.1:2dSimpleGrid</wcs:GridType><wcs:GridOrigin>49.95 10.05</wcs:GridOrigin><wcs:GridOffsets>-0.1 0.1</wcs:GridOffsets>`,
        '<wcs:Axis identifier="Bands"><wcs:AvailableKeys><wcs:Key>height</wcs:Key><wcs:Key>slope</wcs:Key></wcs:AvailableKeys>',
        '<wcs:NullValue>-99</wcs:NullValue>',
      ]) {
        expect(text).toContain(part);
      }
    });
  });

  it('describes a coverage in EPSG:4326 if its CRS has no code, and returns it in other CRSs', async () => {
    const vrt = await writeLandscape(folder, 'local', {
      ...{ width: WIDTH, height: HEIGHT, bands: 1, type: 'Int16' },
      elements:
        '<SRS>+proj=laea +lat_0=47.3 +lon_0=12.7 +datum=WGS84 +units=m</SRS><GeoTransform>-30000, 1000, 0, 20000, 0, -1000</GeoTransform>',
      bandElements: () => '<NoDataValue>-99</NoDataValue>',
    });
    await runGdal('gdal_translate', ['-q', vrt, join(folder, 'local.tif')]);
    const body = await readFile(join(folder, 'local.tif'));
    const path = '/workspaces/topo/coveragestores/local/file.geotiff';
    const uploaded = await client.server.request('PUT', path, { type: 'image/tiff', body });
    expect(uploaded.status, uploaded.text).toBe(201);

    const old = await ask('version=1.0.0&request=DescribeCoverage&coverage=topo:local');
    const newer = await ask('version=1.1.1&request=DescribeCoverage&identifiers=topo:local');
    const reply = await ask(
      'version=1.0.0&request=GetCoverage&coverage=topo:local&format=GeoTIFF&crs=EPSG:4326&bbox=12.6,47.2,12.8,47.4&width=20&height=20',
    );
    await client.server.delete('/workspaces/topo/coveragestores/local?recurse=true');

    expect(old.text).toMatch(/<gml:Envelope srsName="EPSG:4326"><gml:pos>12\.3\d* 47\.1\d*<\/gml:pos>/);
    expect(newer.text).toContain(`<wcs:GridBaseCRS>${URN}</wcs:GridBaseCRS>`);
    const { size, samples } = await seen(reply);
    expect([size, samples[0]?.includes(-99)]).toEqual([[20, 20], false]);
  });

  describe('GetCoverage 1.0.0', () => {
    it('answers requests of QGIS with exactly the requested box and size, beyond the edge as well', async () => {
      const query = 'CRS=EPSG:4326&RESPONSE_CRS=EPSG:4326&WIDTH=20&HEIGHT=10';

      const [inside, beyond] = [await get10(`BBOX=11,48,13,49&${query}`), await get10(`BBOX=9,49.5,11,50.5&${query}`)];

      expect(inside.headers['content-disposition']).toContain('inline; filename=');
      const window = { column: 10, row: 10, width: 20, height: 10 };
      const expected = await readSamples(join(folder, 'relief.tif'), window);
      expect(await seen(inside)).toEqual({
        ...{ size: [20, 10], transform: [11, 0.1, 0, 49, 0, -0.1], samples: expected, code: 'EPSG:4326' },
      });
      const { size, transform, samples } = await seen(beyond);
      expect({ size, transform }).toEqual({ size: [20, 10], transform: [9, 0.1, 0, 50.5, 0, -0.1] });
      const corner = await readSamples(join(folder, 'relief.tif'), { column: 0, row: 0, width: 10, height: 1 }, [0]);
      expect(samples[0]?.slice(5 * 20, 6 * 20)).toEqual([...Array(10).fill(-99), ...(corner[0] ?? [])]);
    });

    it('returns a resolution, another CRS, and bands by number, range or name', async () => {
      const box = 'bbox=11,48,13,49&crs=EPSG:4326';
      const window = { column: 10, row: 10, width: 20, height: 10 };
      const [height = [], slope = []] = await readSamples(join(folder, 'relief.tif'), window);

      expect((await seen(await get10(`${box}&resx=0.1&resy=0.1&band=2,1`))).samples).toEqual([slope, height]);
      expect((await seen(await get10(`${box}&resx=0.1&resy=0.1&Band=1/2`))).samples).toEqual([height, slope]);
      expect((await seen(await get10(`${box}&width=20&height=10&band=slope`))).samples).toEqual([slope]);
      const mercator = await seen(
        await get10(`${box}&response_crs=EPSG:3857&width=20&height=10&interpolation=bilinear`),
      );
      expect([mercator.size, mercator.code]).toEqual([[20, 10], 'EPSG:3857']);
      expect(mercator.transform[0]).toBeCloseTo(1_224_514.399, 2);
    });

    it('returns the granules of a time and an image', async () => {
      const query =
        'version=1.0.0&request=GetCoverage&coverage=topo:days&crs=EPSG:4326&bbox=0,42,6,45&width=6&height=3';

      const day = (time: string) => ask(`${query}&format=GML&time=${time}`);
      const tuples = async (time: string) => /decimal="\.">([^<]*)/.exec((await day(time)).text)?.[1];
      const image = await ask(`${query}&format=image/png&time=2024-01-01`);

      expect(await tuples('2024-01-02')).toBe('0 0 0 1 2 3 0 0 4 5 6 7 0 0 8 9 10 11 ');
      expect(await tuples('2024-01-01/2024-01-02')).not.toBe(await tuples('2024-01-02'));
      expect([image.headers['content-type'], image.bytes.toString('latin1', 1, 4)]).toEqual(['image/png', 'PNG']);
    });

    it('reads XML documents', async () => {
      const reply =
        await post(`<?xml version="1.0"?><GetCoverage xmlns="http://www.opengis.net/wcs" xmlns:gml="http://www.opengis.net/gml" service="WCS" version="1.0.0">
        <sourceCoverage>topo:relief</sourceCoverage>
        <domainSubset><spatialSubset>
          <gml:Envelope srsName="EPSG:4326"><gml:pos>11 48</gml:pos><gml:pos>13 49</gml:pos></gml:Envelope>
          <gml:Grid dimension="2"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>20 10</gml:high></gml:GridEnvelope></gml:limits><gml:axisName>x</gml:axisName><gml:axisName>y</gml:axisName></gml:Grid>
        </spatialSubset></domainSubset>
        <rangeSubset><axisSubset name="Band"><singleValue>2</singleValue></axisSubset></rangeSubset>
        <interpolationMethod>nearest neighbor</interpolationMethod>
        <output><crs>EPSG:4326</crs><format>GeoTIFF</format></output></GetCoverage>`);
      const described = await post(
        '<DescribeCoverage xmlns="http://www.opengis.net/wcs" service="WCS"><Coverage>topo:relief</Coverage></DescribeCoverage>',
      );

      const { size, samples } = await seen(reply);
      expect(size).toEqual([20, 10]);
      const window = { column: 10, row: 10, width: 20, height: 10 };
      expect(samples).toEqual(await readSamples(join(folder, 'relief.tif'), window, [1]));
      expect(described.text).toContain('<wcs:name>topo:relief</wcs:name>');
    });
  });

  describe('GetCoverage 1.1.1', () => {
    const grid = (origin: string, offsets: string) =>
      `GRIDBASECRS=${URN}&GRIDCS=urn:ogc:def:cs:OGC:0.0:Grid2dSquareCS&GRIDTYPE=urn:ogc:def:method:WCS:1.1:2dSimpleGrid&GRIDORIGIN=${origin}&GRIDOFFSETS=${offsets}`;

    it('answers requests of QGIS with a north-up picture of the requested samples', async () => {
      const reply = await get11(`BOUNDINGBOX=48.05,11.05,48.95,12.95,${URN}&${grid('48.95,11.05', '-0.1,0.1')}`);

      const [document, file] = splitParts(reply);
      expect(document?.head).toBe('Content-Type: text/xml; charset=utf-8\r\nContent-ID: <urn:ogc:wcs:1.1:coverages>');
      expect(document?.body.toString()).toContain(
        '<wcs:Identifier>topo:relief</wcs:Identifier><ows:Reference xlink:href="cid:theCoverage"',
      );
      expect(file?.head).toBe(
        'Content-Type: image/tiff\r\nContent-ID: <theCoverage>\r\nContent-Transfer-Encoding: binary',
      );
      const window = { column: 10, row: 10, width: 20, height: 10 };
      const samples = await readSamples(join(folder, 'relief.tif'), window);
      expect(await describeFile(file?.body ?? Buffer.alloc(0))).toEqual({
        ...{ size: [20, 10], transform: [11, 0.1, 0, 49, 0, -0.1], samples, code: 'EPSG:4326' },
      });
    });

    it.each([
      [`boundingBox=48,11,50,14,${URN}`, [30, 20], [11, 0.1, 0, 50, 0, -0.1]],
      [`boundingBox=48,11,50,14,${URN}&gridOffsets=-0.2,0.2`, [15, 10], [11, 0.2, 0, 50, 0, -0.2]],
      [
        'boundingBox=11,48,14,50,EPSG:4326&gridBaseCRS=EPSG:4326&gridOffsets=0.2,-0.2',
        [15, 10],
        [11, 0.2, 0, 50, 0, -0.2],
      ],
      [
        `boundingBox=48,11,50,14,${URN}&gridBaseCRS=${URN}&gridOffsets=0,0.2,-0.1,0&gridOrigin=49.95,11.1`,
        [15, 20],
        [11, 0.2, 0, 50, 0, -0.1],
      ],
    ] as const)('returns an upright grid: %s', async (query, size, transform) => {
      expect(await seenFile(await get11(query))).toMatchObject({ size, transform });
    });

    it('selects bands and interpolates by RangeSubset, and reads XML documents', async () => {
      const box = `boundingBox=48.05,11.05,48.95,12.95,${URN}`;
      const window = { column: 10, row: 10, width: 20, height: 10 };
      const slope = await readSamples(join(folder, 'relief.tif'), window, [1]);
      const document = (
        store: string,
      ) => `<?xml version="1.0"?><GetCoverage xmlns="http://www.opengis.net/wcs/1.1.1" xmlns:ows="http://www.opengis.net/ows/1.1" service="WCS" version="1.1.1">
        <ows:Identifier>topo:relief</ows:Identifier>
        <DomainSubset><ows:BoundingBox crs="${URN}"><ows:LowerCorner>48.05 11.05</ows:LowerCorner><ows:UpperCorner>48.95 12.95</ows:UpperCorner></ows:BoundingBox></DomainSubset>
        <RangeSubset><FieldSubset><ows:Identifier>contents</ows:Identifier><InterpolationType>nearest</InterpolationType><AxisSubset><Identifier>Bands</Identifier><Key>slope</Key></AxisSubset></FieldSubset></RangeSubset>
        <Output store="${store}" format="image/tiff"><GridCRS><GridBaseCRS>${URN}</GridBaseCRS><GridOrigin>48.95 11.05</GridOrigin><GridOffsets>-0.1 0.1</GridOffsets></GridCRS></Output></GetCoverage>`;

      expect((await seenFile(await get11(`${box}&rangeSubset=contents:nearest[Bands[slope]]`))).samples).toEqual(slope);
      expect((await seenFile(await get11(`${box}&rangeSubset=contents[Bands[2]]`))).samples).toEqual(slope);
      expect((await seenFile(await post(document('false')))).samples).toEqual(slope);
      expect((await post(document('true'))).text).toContain('Storing the response on the server is not supported');
      const coarse = `boundingBox=48,11,50,14,${URN}&gridOffsets=-0.15,0.15`;
      const [nearest, linear] = [
        await seenFile(await get11(`${coarse}&rangeSubset=contents:nearest`)),
        await seenFile(await get11(`${coarse}&rangeSubset=contents:linear`)),
      ];
      expect(linear.samples).not.toEqual(nearest.samples);
    });

    it('returns the granules of a time', async () => {
      const reply = await ask(
        `version=1.1.1&request=GetCoverage&identifier=topo:days&format=application/gml%2Bxml&timeSequence=2024-01-02&boundingBox=42,0,45,6,${URN}`,
      );

      expect(splitParts(reply)[1]?.body.toString()).toContain('0 0 0 1 2 3 0 0 4 5 6 7 0 0 8 9 10 11 ');
    });
  });

  const box10 = 'bbox=11,48,13,49&crs=EPSG:4326';
  const size10 = 'width=20&height=10';
  const box11 = `boundingBox=48,11,49,13,${URN}`;

  it.each([
    ['request=DescribeCoverage&coverage=topo:none', 'InvalidParameterValue', 'coverage'],
    [`request=GetCoverage&coverage=topo:none&format=PNG&${box10}&${size10}`, 'InvalidParameterValue', 'coverage'],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${size10}&bbox=11,48,13,49`,
      'MissingParameterValue',
      'crs',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${size10}&crs=EPSG:4326`,
      'MissingParameterValue',
      'bbox',
    ],
    [`request=GetCoverage&coverage=topo:relief&${box10}&${size10}`, 'MissingParameterValue', 'format'],
    [`request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}`, 'MissingParameterValue', 'width'],
    [`request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&width=20`, 'MissingParameterValue', 'height'],
    [`request=GetCoverage&coverage=topo:relief&format=GIF&${box10}&${size10}`, 'InvalidParameterValue', 'format'],
    [`request=GetCoverage&coverage=topo:relief&format=PNG&${box10}&${size10}`, 'InvalidParameterValue', 'format'],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&${size10}&band=3`,
      'InvalidParameterValue',
      'band',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&${size10}&time=x`,
      'InvalidParameterValue',
      'time',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&${size10}&response_crs=EPSG:1`,
      'InvalidParameterValue',
      'response_crs',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&${size10}&interpolation=magic`,
      'InvalidParameterValue',
      'interpolation',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&crs=EPSG:4326&bbox=1,2,3,4&${size10}`,
      'InvalidParameterValue',
      'bbox',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&crs=EPSG:4326&bbox=3,2,1,4&${size10}`,
      'InvalidParameterValue',
      'bbox',
    ],
    [
      `request=GetCoverage&coverage=topo:relief&format=GeoTIFF&${box10}&width=90000&height=90000`,
      'NoApplicableCode',
      undefined,
    ],
    ['request=GetEverything', 'OperationNotSupported', 'GetEverything'],
  ])('rejects 1.0.0: %s', async (query, code, locator) => {
    const reply = await ask(`version=1.0.0&${query}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.ogc.se_xml;charset=utf-8']);
    const [, sentCode, sentLocator] = /<ServiceException code="([^"]*)"(?: locator="([^"]*)")?/.exec(reply.text) ?? [];
    expect({ code: sentCode, locator: sentLocator }).toEqual({ code, locator });
  });

  it.each([
    ['request=DescribeCoverage', 'MissingParameterValue', 'identifiers'],
    ['request=DescribeCoverage&identifiers=topo:none', 'InvalidParameterValue', 'identifiers'],
    [`request=GetCoverage&identifier=topo:none&format=image/tiff&${box11}`, 'InvalidParameterValue', 'identifier'],
    ['request=GetCoverage&identifier=topo:relief&format=image/tiff', 'MissingParameterValue', 'boundingBox'],
    [
      'request=GetCoverage&identifier=topo:relief&format=image/tiff&boundingBox=48,11,49,13',
      'InvalidParameterValue',
      'boundingBox',
    ],
    [
      `request=GetCoverage&identifier=topo:relief&format=image/tiff&boundingBox=1,2,3,4,${URN}`,
      'InvalidParameterValue',
      'boundingBox',
    ],
    [
      `request=GetCoverage&identifier=topo:relief&format=image/tiff&${box11}&rangeSubset=other`,
      'InvalidParameterValue',
      'rangeSubset',
    ],
    [
      `request=GetCoverage&identifier=topo:relief&format=image/tiff&${box11}&rangeSubset=contents[Bands[blue]]`,
      'InvalidParameterValue',
      'rangeSubset',
    ],
    [
      `request=GetCoverage&identifier=topo:relief&format=image/tiff&${box11}&gridOffsets=0.1,0.1,0.1,-0.1`,
      'InvalidParameterValue',
      'gridOffsets',
    ],
    [
      `request=GetCoverage&identifier=topo:relief&format=image/tiff&${box11}&gridType=urn:x:2dGridIn3dCrs`,
      'InvalidParameterValue',
      'gridType',
    ],
    [`request=GetCoverage&identifier=topo:relief&format=image/tiff&${box11}&store=true`, 'OptionNotSupported', 'store'],
  ])('rejects 1.1.1: %s', async (query, code, locator) => {
    const reply = await ask(`version=1.1.1&${query}`);

    expect(reply.status).toBe(200);
    expect(reply.text).toContain('<ows:ExceptionReport xmlns:ows="http://www.opengis.net/ows/1.1" version="1.1.0">');
    const [, sentCode, sentLocator] = /exceptionCode="([^"]*)"(?: locator="([^"]*)")?/.exec(reply.text) ?? [];
    expect({ code: sentCode, locator: sentLocator }).toEqual({ code, locator });
  });

  it('warns about unknown parameters', async () => {
    const replies = [
      await get10(`${box10}&${size10}&rangesubset=slope`),
      await get11(`${box11}&resx=1`),
      await ask('version=1.1.1&request=GetCapabilities&section=/'),
    ];

    expect(replies.map(({ headers }) => /Unknown parameter '[^']*'/.exec(String(headers['warning']))?.[0])).toEqual([
      "Unknown parameter 'rangesubset'",
      "Unknown parameter 'resx'",
      "Unknown parameter 'section'",
    ]);
  });
});
