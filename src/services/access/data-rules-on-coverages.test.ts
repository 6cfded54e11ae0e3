/** Data rules on coverages: samples and dimension values outside of the areas are hidden. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { putTiff, zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

const store = '/workspaces/acme/coveragestores/water';

/** Three days side by side, four degrees each. */
const files = {
  'indexer.properties': Buffer.from(
    [
      'Schema=*the_geom:Polygon,location:String,time:java.util.Date',
      'PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](time)',
      'TimeAttribute=time',
      'MosaicCRS=EPSG:4326',
    ].join('\n'),
  ),
  'timeregex.properties': Buffer.from('regex=[0-9]{8}'),
  'water_20081001.tif': granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326, value: () => 10 }),
  'water_20081002.tif': granuleBytes({ left: 4, top: 4, pixel: 1, epsg: 4326, value: () => 20 }),
  'water_20081003.tif': granuleBytes({ left: 8, top: 4, pixel: 1, epsg: 4326, value: () => 30 }),
};

/** The second granule without its upper row. */
const AREA = 'POLYGON ((4 0, 8 0, 8 3, 4 3, 4 0))';

describe('data rules on a mosaic', () => {
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const body = zipOfFiles(files);
    const made = await server.request('PUT', `${store}/file.imagemosaic`, { type: 'application/zip', body });
    expect(made.status, made.text).toBe(200);
    const info = '<dimensionInfo><enabled>true</enabled><presentation>LIST</presentation></dimensionInfo>';
    const metadata = `<coverage><metadata><entry key="time">${info}</entry></metadata></coverage>`;
    expect((await server.put(`${store}/coverages/water`, metadata, { type: 'xml' })).status).toBe(200);
    ann = await addUser(server, 'ann', 'FIELD');
  });
  beforeEach(async () => {
    await server.delete('/security/acl/data/part');
  });

  async function addRule(fields: object): Promise<void> {
    const dataRule = { name: 'part', layer: 'acme:water', roles: ['FIELD'], ...fields };
    const reply = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    expect(reply.status, reply.text).toBe(201);
  }
  const listTimes = async () => {
    const { text } = await server.get('//geoserver/wms?service=WMS&version=1.3.0&request=GetCapabilities', { as: ann });
    return [
      /<Dimension name="time"[^>]* default="([^"]*)"/.exec(text)?.[1],
      /<Dimension name="time"[^>]*>([^<]*)</.exec(text)?.[1]?.match(/2008-10-\d\d/g) ?? [],
    ];
  };
  const askWcs = (query: string) =>
    server.get(`//geoserver/wcs?service=WCS&version=2.0.1&coverageId=acme__water&${query}`, { as: ann });
  const getCoverage = async (query = '') => {
    const { text, status } = await askWcs(`request=GetCoverage&format=application/gml%2Bxml${query}`);
    expect(status, text).toBe(200);
    const [low = '', high = ''] = ['lowerCorner', 'upperCorner'].map(
      (name) => new RegExp(`<gml:${name}>([^<]*)`).exec(text)?.[1] ?? '',
    );
    return { low, high, samples: /tupleList[^>]*>([^<]*)</.exec(text)?.[1]?.trim().split(/\s+/) };
  };

  it('show the times of visible granules only, also as the default', async () => {
    expect(await listTimes()).toEqual(['2008-10-03T00:00:00Z', ['2008-10-01', '2008-10-02', '2008-10-03']]);
    await addRule({ area: { geometry: AREA } });

    expect(await listTimes()).toEqual(['2008-10-02T00:00:00Z', ['2008-10-02']]);
    expect((await askWcs('request=DescribeCoverage')).text.match(/2008-10-0\d/g)).not.toContain('2008-10-03');
    for (const query of ['version=1.0.0&coverage=acme:water', 'version=1.1.1&identifiers=acme:water']) {
      const { text } = await server.get(`//geoserver/wcs?service=WCS&request=DescribeCoverage&${query}`, { as: ann });
      expect(new Set(text.match(/2008-10-0\d/g)), query).toEqual(new Set(['2008-10-02']));
    }
    await server.put('/security/acl/data/part', '{"dataRule":{"roles":["OTHER"]}}');
    expect(await listTimes()).toEqual([undefined, []]);
    expect((await askWcs('request=DescribeCoverage')).text).not.toContain('2008-10');
  });

  it.each([
    ['EPSG:4326', AREA],
    ['urn:ogc:def:crs:EPSG::4326', AREA],
    ['EPSG:3857', 'POLYGON ((445277.97 0, 890555.93 0, 890555.93 334111.18, 445277.97 334111.18, 445277.97 0))'],
  ])('cut coverages to the box of an area in %s', async (crs, geometry) => {
    await addRule({ area: { geometry, crs } });

    expect(await getCoverage()).toEqual({
      low: '0 4',
      high: '3 8',
      samples: Array.from({ length: 12 }, () => '20'),
    });
    // Outside of the area, the samples have no data, also if the requested part touches the area.
    for (const [subset, count] of [
      ['Long(0,2)', 8],
      ['Long(0,4)', 16],
    ] as const) {
      const beside = await getCoverage(`&subset=${subset}`);
      expect(beside.samples).toEqual(Array.from({ length: count }, () => '0'));
    }
  });

  it('leave maps transparent outside of the area, also rotated ones', async () => {
    await addRule({ area: { geometry: AREA } });
    const map =
      'service=WMS&version=1.1.1&request=GetMap&srs=EPSG:4326&bbox=0,0,12,4&width=12&height=4&format=image/png&styles=&transparent=true&layers=acme:water';
    const listVisible = async (query: string) => {
      const reply = await askMap(server, `${map}${query}`, ann);
      const colours = await Promise.all(
        Array.from({ length: 48 }, (_, at) => colourAt(reply, at % 12, Math.floor(at / 12))),
      );
      return colours.flatMap((colour, at) => (colour.endsWith('00') && colour.length === 9 ? [] : [at]));
    };
    const row = (first: number) => [0, 1, 2, 3].map((column) => first * 12 + 4 + column);

    expect(await listVisible('')).toEqual([...row(1), ...row(2), ...row(3)]);
    expect(await listVisible('&angle=180')).toEqual([...row(0), ...row(1), ...row(2)]);
  });
});

describe('data rules on a coverage', () => {
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    // Four columns of one degree: 10, 20, 20 and 30.
    const value = (index: number) => [10, 20, 20, 30][index % 4] ?? 0;
    const body = granuleBytes({ left: 0, top: 4, pixel: 1, epsg: 4326, value });
    const made = await putTiff(server, '/workspaces/acme/coveragestores/steps/file.geotiff', body);
    expect(made.status, made.text).toBe(201);
    ann = await addUser(server, 'ann', 'FIELD');
  });

  it.each(['nearest', 'linear', 'cubic'])('use no hidden samples for %s interpolation', async (interpolation) => {
    const readRow = async (area: object) => {
      const dataRule = { name: 'part', layer: 'acme:steps', roles: ['FIELD'], area };
      await server.delete('/security/acl/data/part');
      expect((await server.post('/security/acl/data', JSON.stringify({ dataRule }))).status).toBe(201);
      const { text } = await server.get(
        `//geoserver/wcs?service=WCS&version=2.0.1&coverageId=acme__steps&request=GetCoverage&format=application/gml%2Bxml&scaleFactor=4&interpolation=http://www.opengis.net/def/interpolation/OGC/1/${interpolation}`,
        { as: ann },
      );
      return /tupleList[^>]*>([^<]*)</.exec(text)?.[1]?.trim().split(/\s+/).slice(0, 8);
    };

    expect(await readRow({ geometry: 'POLYGON ((1 0, 3 0, 3 4, 1 4, 1 0))' })).toEqual(
      Array.from({ length: 8 }, () => '20'),
    );
    // An area that is narrower than a sample.
    const inside = await readRow({ geometry: 'POLYGON ((1.3 0, 2 0, 2 4, 1.3 4, 1.3 0))' });
    expect(inside).toEqual(['0', '20', '20', '20', '0', '20', '20', '20']);
  });
});
