/** Mosaics from definition to the last granule, compared with the output of the NetCDF and GDAL tools. */
import { mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runGdal } from '../support/gdal.ts';
import { dumpedValues, writeNetcdf } from '../support/netcdf.ts';
import { zipOfFiles } from '../support/raster-samples.ts';
import { gdalDescription } from '../support/rasters.ts';
import { type TestServer, useTestServer } from '../support/test-server.ts';
import { granuleBytes } from '../support/tiff-bytes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { describeWithTool } from '../support/with-tool.ts';

const stores = '/workspaces/acme/coveragestores';

interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | number>>;
  readonly geometry: { readonly coordinates: readonly (readonly (readonly number[])[])[] };
}

async function granulesOf(
  server: TestServer,
  store: string,
  coverage: string,
  query = '',
): Promise<readonly Feature[]> {
  const reply = await server.get(`${stores}/${store}/coverages/${coverage}/index/granules.json${query}`);
  expect(reply.status, reply.text).toBe(200);
  return (reply.json() as { readonly features: readonly Feature[] }).features;
}

/** Twenty by ten cells of two variables, two times and three levels. */
const airCdl = `dimensions: time = UNLIMITED ; z = 3 ; lat = 10 ; lon = 20 ;
  variables:
    double time(time) ; time:units = "hours since 2013-03-01 00:00:00" ; time:calendar = "gregorian" ;
    float z(z) ; z:units = "m" ; z:positive = "up" ; z:axis = "Z" ;
    float lat(lat) ; lat:units = "degrees_north" ;
    float lon(lon) ; lon:units = "degrees_east" ;
    float O3(time, z, lat, lon) ; O3:units = "ug/m3" ; O3:_FillValue = -1.f ;
    float NO2(time, z, lat, lon) ; NO2:units = "ug/m3" ;
    :Conventions = "CF-1.6" ;
  data:
    time = 0, 6 ; z = 10, 35, 75 ;
    lat = ${Array.from({ length: 10 }, (_, index) => 45.25 + index * 0.5).join(', ')} ;
    lon = ${Array.from({ length: 20 }, (_, index) => 5.25 + index * 0.5).join(', ')} ;
    O3 = ${Array.from({ length: 1_200 }, (_, index) => index / 8).join(', ')} ;
    NO2 = ${Array.from({ length: 1_200 }, (_, index) => index / 4).join(', ')} ;`;

const indexer = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Indexer>
  <domains>
    <domain name="time"><attributes><attribute>time</attribute></attributes></domain>
    <domain name="elevation"><attributes><attribute>elevation</attribute></attributes></domain>
  </domains>
  <schemas>
    <schema name="default"><attributes>the_geom:Polygon,location:String,imageindex:Integer,time:java.util.Date,elevation:Double,fileDate:java.util.Date,updated:java.util.Date</attributes></schema>
  </schemas>
  <coverages>
    <coverage><name>O3</name><schema ref="default"/><domains><domain ref="time"/><domain ref="elevation"/></domains></coverage>
    <coverage><name>NO2</name><schema ref="default"/><domains><domain ref="time"/><domain ref="elevation"/></domains></coverage>
  </coverages>
  <collectors>
    <collector name="date"><value>[0-9]{8}</value><spi>TimestampFileNameExtractorSPI</spi><mapped>fileDate</mapped></collector>
    <collector name="update"><value>MODIFY_TIME</value><spi>RuntimeExtractorSPI</spi><mapped>updated</mapped></collector>
  </collectors>
  <parameters>
    <parameter name="AuxiliaryFile" value="auxiliary.xml"/>
    <parameter name="AbsolutePath" value="true"/>
    <parameter name="CanBeEmpty" value="true"/>
  </parameters>
</Indexer>`;

const auxiliary = `<Indexer><coverages>${['O3', 'NO2']
  .map(
    (name) =>
      `<coverage><schema name="${name}"><attributes>the_geom:Polygon,imageindex:Integer,time:java.util.Date,elevation:Double</attributes></schema><origName>${name}</origName><name>${name}</name></coverage>`,
  )
  .join('')}</coverages></Indexer>`;

const names = ['the_geom', 'location', 'imageindex', 'time', 'elevation', 'fileDate', 'updated'];

/** The same steps for every kind of index. */
function tellEmptyMosaic(server: TestServer, datastore: () => string | undefined): void {
  const folder = () => join(server.dataDir, 'data', 'air');
  const file = () => join(folder(), 'air_20130301.nc');

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await mkdir(folder(), { recursive: true });
    await writeNetcdf(folder(), 'air_20130301', 'netCDF-4', airCdl);
    await rm(join(folder(), 'air_20130301.cdl'));
    await utimes(file(), new Date(0), new Date('2014-05-06T07:08:09Z'));
    const text = datastore();
    const reply = await server.request('PUT', `${stores}/air/file.imagemosaic?configure=none`, {
      type: 'application/zip',
      body: zipOfFiles({
        'indexer.xml': Buffer.from(indexer),
        'auxiliary.xml': Buffer.from(auxiliary),
        ...(text === undefined ? {} : { 'datastore.properties': Buffer.from(text) }),
      }),
    });
    expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
  });

  const harvest = (place = 'file:data/air/air_20130301.nc') =>
    server.request('POST', `${stores}/air/external.imagemosaic`, { type: 'text/plain', body: place });

  /** The values that the tools report for each image, in the order of the file. */
  async function reported(variable: number) {
    const times = (await dumpedValues(file(), 'time')).map((hours) =>
      new Date(Date.parse('2013-03-01T00:00:00Z') + Number(hours) * 3_600_000).toISOString(),
    );
    const levels = (await dumpedValues(file(), 'z')).map(Number);
    return times.flatMap((time, t) =>
      levels.map((elevation, z) => ({
        location: file(),
        imageindex: variable * 6 + t * 3 + z,
        time,
        elevation,
        fileDate: '2013-03-01T00:00:00.000Z',
        updated: '2014-05-06T07:08:09.000Z',
      })),
    );
  }

  it('harvests, publishes and lists the contents of the file', async () => {
    const before = await server.get(`${stores}/air/coverages.json?list=all`);
    const harvested = await harvest();
    for (const [body, type] of [
      ['<coverage><nativeCoverageName>O3</nativeCoverageName><name>O3</name></coverage>', 'text/xml'],
      ['{"coverage":{"nativeCoverageName":"NO2","name":"NO2"}}', 'application/json'],
    ] as const) {
      const reply = await server.post(`${stores}/air/coverages`, body, { type });
      expect(reply.status, reply.text).toBe(201);
    }

    expect(before.json()).toEqual({ list: { string: [] } });
    expect([harvested.status, harvested.text]).toEqual([
      201,
      'Harvested 12 granules from 1 file into acme:air.\nNew coverages: O3, NO2.\n',
    ]);
    for (const [variable, coverage] of ['O3', 'NO2'].entries()) {
      const index = await server.get(`${stores}/air/coverages/${coverage}/index.xml`);
      expect([...index.text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name)).toEqual(names);
      const granules = await granulesOf(server, 'air', coverage);
      expect(granules.map(({ properties }) => properties)).toEqual(await reported(variable));
      expect(granules.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map((number) => `${coverage}.${number}`));
    }
  });

  it('has the footprints and bands that GDAL reports', async () => {
    const { size, geoTransform = [], bands } = await gdalDescription(`NETCDF:"${file()}":O3`);
    const [left = 0, cell = 0, , first = 0, , step = 0] = geoTransform;
    const [width, height] = size;
    const ys = [first, first + step * height].toSorted((a, b) => a - b);
    const [granule] = await granulesOf(server, 'air', 'O3', '?limit=1');
    const coverage = (await server.get(`${stores}/air/coverages/O3.json`)).text;

    const xs = granule?.geometry.coordinates[0]?.map(([x]) => x ?? 0) ?? [];
    const heights = granule?.geometry.coordinates[0]?.map(([, y]) => y ?? 0) ?? [];
    expect(Math.min(...xs)).toBeCloseTo(left, 5);
    expect(Math.max(...xs)).toBeCloseTo(left + cell * width, 5);
    expect(Math.min(...heights)).toBeCloseTo(ys[0] ?? 0, 5);
    expect(Math.max(...heights)).toBeCloseTo(ys[1] ?? 0, 5);
    expect(bands).toHaveLength(6);
    expect(coverage).toContain('"unit":"ug/m3"');
  });

  it('returns the requested number of granules as GML', async () => {
    const { text } = await server.get(`${stores}/air/coverages/NO2/index/granules.xml?limit=2`);

    expect(text.match(/<gml:featureMember>/g)).toHaveLength(2);
    expect(text).toContain('<gf:NO2 fid="NO2.1">');
    expect(text).toContain('<gml:coordinates>5,45 5,50 15,50 15,45 5,45</gml:coordinates>');
    expect(text).toContain(`<gf:location>${file()}</gf:location>`);
    expect(text).toContain('<gf:imageindex>6</gf:imageindex>');
    expect(text).toContain('<gf:time>2013-03-01T00:00:00Z</gf:time>');
    expect(text).toContain('<gf:elevation>10.0</gf:elevation>');
  });

  it('removes granules by location, and harvests them again without duplicates', async () => {
    const filter = encodeURIComponent(`location='${file()}'`);

    const removed = await server.delete(`${stores}/air/coverages/O3/index/granules.xml?filter=${filter}`);
    const left = [(await granulesOf(server, 'air', 'O3')).length, (await granulesOf(server, 'air', 'NO2')).length];
    const again = [await harvest(), await harvest('file:data/air')];

    expect(removed.status).toBe(200);
    expect(left).toEqual([0, 6]);
    expect(again.map(({ text }) => text)).toEqual(Array(2).fill('Harvested 12 granules from 1 file into acme:air.\n'));
    for (const [variable, coverage] of ['O3', 'NO2'].entries()) {
      expect((await granulesOf(server, 'air', coverage)).map(({ properties }) => properties)).toEqual(
        await reported(variable),
      );
    }
    expect((await stat(file())).isFile()).toBe(true);
  });

  it('finds granules by time and level', async () => {
    const filter = encodeURIComponent('time > 2013-03-01T00:00:00Z AND elevation BETWEEN 20 AND 80');

    const found = await granulesOf(server, 'air', 'O3', `?filter=${filter}`);

    expect(found.map(({ properties }) => [properties['time'], properties['elevation']])).toEqual([
      ['2013-03-01T06:00:00.000Z', 35],
      ['2013-03-01T06:00:00.000Z', 75],
    ]);
  });
}

describeWithTool('netcdf', 'An empty mosaic of NetCDF files with the embedded index', () => {
  tellEmptyMosaic(useTestServer(), () => undefined);
});

describeWithTool('netcdf', 'An empty mosaic of NetCDF files', () => {
  describeWithPostgis('an index in PostGIS', (postgis) => {
    tellEmptyMosaic(useTestServer(), () => {
      const { host, port, database, user, password } = postgis.connection;
      return `SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory
host=${host}
port=${port}
database=${database}
schema=public
user=${user}
passwd=${password}
Loose\\ bbox=true
`;
    });
  });
});

describeWithTool('gdal', 'A mosaic of 200 images in three coordinate reference systems', () => {
  const server = useTestServer();
  const folder = () => join(server.dataDir, 'data', 'pictures');
  const systems = [
    { epsg: 4326, left: (index: number) => index / 4, top: 50, pixel: 0.05 },
    { epsg: 32632, left: (index: number) => 400_000 + index * 2_000, top: 5_500_000, pixel: 400 },
    { epsg: 3857, left: (index: number) => index * 20_000, top: 6_000_000, pixel: 4_000 },
  ];
  const pictures = Array.from({ length: 200 }, (_, index) => {
    const { epsg, left, top, pixel } = systems[index % 3] ?? { epsg: 4326, left: () => 0, top: 0, pixel: 1 };
    const time = new Date(Date.UTC(2020, 0, 1 + index, index % 24));
    const stamp = time.toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
    return {
      name: `${index < 100 ? 'first' : 'second/half'}/p_${stamp}_z${String(index % 7).padStart(4, '0')}.tif`,
      bytes: granuleBytes({ epsg, left: left(index), top, pixel }),
      time: time.toISOString(),
      elevation: index % 7,
    };
  });

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    for (const { name, bytes } of pictures) {
      await mkdir(join(folder(), name, '..'), { recursive: true });
      await writeFile(join(folder(), name), bytes);
    }
    await writeFile(
      join(folder(), 'indexer.properties'),
      `Schema=*the_geom:Polygon,location:String,ingestion:java.util.Date,elevation:Double
PropertyCollectors=TimestampFileNameExtractorSPI[timeregex](ingestion),DoubleFileNameExtractorSPI[elevationregex](elevation)
TimeAttribute=ingestion
ElevationAttribute=elevation
`,
    );
    await writeFile(join(folder(), 'timeregex.properties'), "regex=[0-9]{8}T[0-9]{6},format=yyyyMMdd'T'HHmmss\n");
    await writeFile(join(folder(), 'elevationregex.properties'), 'regex=(?<=_z)[0-9]+\n');
    const reply = await server.request('PUT', `${stores}/pictures/external.imagemosaic`, {
      type: 'text/plain',
      body: 'file:data/pictures',
    });
    expect([reply.status, reply.text]).toEqual([200, 'Published acme:pictures (EPSG:4326).\n']);
  });

  it('lists each granule with the time and the elevation in its name', async () => {
    const granules = await granulesOf(server, 'pictures', 'pictures');

    const found = granules
      .map(({ properties }) => [properties['location'], properties['ingestion'], properties['elevation']])
      .toSorted();
    expect(found).toEqual(pictures.map(({ name, time, elevation }) => [name, time, elevation]).toSorted());
  });

  it('has the same footprints as gdaltindex', async () => {
    const index = join(server.dataDir, 'index.geojson');
    const paths = pictures.map(({ name }) => join(folder(), name));
    await runGdal('gdaltindex', ['-t_srs', 'EPSG:4326', '-f', 'GeoJSON', index, ...paths]);
    const reported = JSON.parse(await runGdal('ogr2ogr', ['-f', 'GeoJSON', '/vsistdout/', index])) as {
      readonly features: readonly Feature[];
    };
    const boxes = (features: readonly Feature[]) =>
      new Map(
        features.map(({ properties, geometry }) => [
          String(properties['location']).replace(`${folder()}/`, ''),
          // The corners are equal; between them, edges are curves for which the server keeps more points.
          geometry.coordinates[0]?.map((position) => position.map((ordinate) => ordinate.toFixed(6)).join(' ')) ?? [],
        ]),
      );

    const ours = boxes(await granulesOf(server, 'pictures', 'pictures'));
    const theirs = boxes(reported.features);

    expect([...theirs.keys()].toSorted()).toEqual([...ours.keys()].toSorted());
    for (const [name, corners] of theirs) expect(ours.get(name)).toEqual(expect.arrayContaining(corners));
  });

  it('does not change when all files are harvested again', async () => {
    const before = await granulesOf(server, 'pictures', 'pictures');

    const reply = await server.request('POST', `${stores}/pictures/external.imagemosaic`, {
      type: 'text/plain',
      body: 'file:data/pictures/',
    });

    expect([reply.status, reply.text]).toEqual([201, 'Harvested 200 granules from 200 files into acme:pictures.\n']);
    const after = await granulesOf(server, 'pictures', 'pictures');
    expect(after.map(({ properties }) => properties)).toEqual(before.map(({ properties }) => properties));
  });
});

describe('A mosaic with an unreachable database', () => {
  const server = useTestServer();
  beforeAll(() => server.post('/workspaces', '<workspace><name>acme</name></workspace>'));

  it('rejects the mosaic with the reason, and creates nothing', async () => {
    const reply = await server.request('PUT', `${stores}/air/file.imagemosaic?configure=none`, {
      type: 'application/zip',
      body: zipOfFiles({
        'indexer.properties': Buffer.from('CanBeEmpty=true'),
        'datastore.properties': Buffer.from(
          'SPI=org.geotools.data.postgis.PostgisNGDataStoreFactory\nhost=127.0.0.1\nport=1\ndatabase=a\nuser=b\npasswd=never shown\n',
        ),
      }),
    });

    expect(reply.status).toBe(400);
    expect(reply.text).not.toContain('never shown');
    expect((await server.get(`${stores}/air.json`)).status).toBe(404);
  });
});
