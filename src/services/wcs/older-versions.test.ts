/** WCS 1.0.0 and 1.1.1 on coverages with several dimensions, and on a coverage without a georeference. */
import { beforeAll, describe, expect, it } from 'vitest';
import { bareTiff, zipOfFiles } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { granuleBytes } from '../../../test/support/tiff-bytes.ts';

describe('older versions of WCS', () => {
  const server = useTestServer();
  const ask = (query: string) => server.get(`//geoserver/wcs?service=WCS&${query}`, { as: null });
  const put = (path: string, type: string, body: Buffer) =>
    server.request('PUT', `/workspaces/acme/coveragestores/${path}`, { type, body });

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    const granule = (value: number) => granuleBytes({ left: 0, top: 4, pixel: 2, epsg: 4326, value: () => value });
    const water = await put(
      'water/file.imagemosaic',
      'application/zip',
      zipOfFiles({
        'indexer.properties': Buffer.from(
          [
            'Schema=*the_geom:Polygon,location:String,elevation:Double,run:String',
            'PropertyCollectors=DoubleFileNameExtractorSPI[elevationregex](elevation),StringFileNameExtractorSPI[runregex](run)',
            'ElevationAttribute=elevation',
            'AdditionalDomainAttributes=run',
            'MosaicCRS=EPSG:4326',
          ].join('\n'),
        ),
        'elevationregex.properties': Buffer.from('regex=(?<=_z)[0-9]+'),
        'runregex.properties': Buffer.from('regex=(?<=_run)[a-z]+'),
        'water_runold_z0000.tif': granule(1),
        'water_runnew_z0000.tif': granule(2),
        'water_runold_z0100.tif': granule(3),
        'water_runnew_z0100.tif': granule(4),
      }),
    );
    expect(water.status, water.text).toBe(200);
    const bare = await put('bare/file.geotiff', 'image/tiff', bareTiff());
    expect(bare.status, bare.text).toBe(201);
  });

  const sample = async (query: string): Promise<string | undefined> => {
    const { text } = await ask(`request=GetCoverage&${query}`);
    return /tupleList[^>]*>(\S*)/.exec(text)?.[1] ?? text;
  };
  const old = 'version=1.0.0&coverage=acme:water&format=GML&crs=EPSG:4326&width=1&height=1';
  const newer = 'version=1.1.1&identifier=acme:water&format=application/gml%2Bxml&boundingBox=0,0,1,1,EPSG:4326';

  it('select elevations and other dimensions by values, and elevations by the box', async () => {
    expect([
      await sample(`${old}&bbox=0,0,1,1&elevation=100&dim_run=old`),
      await sample(`${old}&bbox=0,0,1,1,0,0&DIM_RUN=new`),
      await sample(`${old}&bbox=0,0,1,1&elevation=50/150&dim_run=new`),
      await sample(`${newer}&elevation=0&dim_run=old`),
    ]).toEqual(['3', '2', '4', '1']);
  });

  it('name what a request of 1.0.0 without a size must contain', async () => {
    const { text } = await ask(
      'version=1.0.0&request=GetCoverage&coverage=acme:water&format=GML&crs=EPSG:4326&bbox=0,0,1,1',
    );

    expect(text).toContain('code="MissingParameterValue" locator="width"');
    expect(text).toContain(
      "The parameter 'width' is missing; expected the size of the response as width and height, or its resolution as resx and resy.",
    );
  });

  it('describe elevations and other dimensions as axes', async () => {
    const { text } = await ask('version=1.0.0&request=DescribeCoverage&coverage=water');

    expect(text).toContain(
      '<wcs:name>ELEVATION</wcs:name><wcs:label>elevation</wcs:label><wcs:values><wcs:singleValue>0</wcs:singleValue><wcs:singleValue>100</wcs:singleValue></wcs:values>',
    );
    expect(text).toContain('<wcs:name>DIM_run</wcs:name>');
  });

  it.each([
    [`${old}&bbox=0,0,1,1&elevation=500`, 'locator="elevation"'],
    [`${old}&bbox=0,0,1,1&elevation=high`, 'locator="elevation"'],
    [`${old}&bbox=0,0,1,1&dim_wind=1`, 'locator="dim_wind"'],
    [`${old}&bbox=0,0,1,1,2,1`, 'locator="bbox"'],
    [`${newer}&timeSequence=2024-01-01`, 'locator="timeSequence"'],
  ])('reject values that the coverage does not have: %s', async (query, locator) => {
    const reply = await ask(`request=GetCoverage&${query}`);

    expect(reply.status).toBe(200);
    expect(reply.text).toContain('InvalidParameterValue');
    expect(reply.text).toContain(locator);
  });

  it('describe a coverage without a georeference, and explain that it has no parts', async () => {
    const described = [
      await ask('version=1.0.0&request=DescribeCoverage&coverage=acme:bare'),
      await ask('version=1.1.1&request=DescribeCoverage&identifiers=acme:bare'),
    ];
    const requested = [
      await ask(
        'version=1.0.0&request=GetCoverage&coverage=acme:bare&format=GeoTIFF&crs=EPSG:4326&bbox=0,0,1,1&width=1&height=1',
      ),
      await ask(
        'version=1.1.1&request=GetCoverage&identifier=acme:bare&format=image/tiff&boundingBox=0,0,1,1,EPSG:4326',
      ),
    ];

    expect(described.map(({ status, text }) => [status, text.includes('acme:bare'), text.includes('Grid')])).toEqual([
      [200, true, false],
      [200, true, false],
    ]);
    for (const { status, text } of requested) {
      expect([status, text]).toEqual([200, expect.stringContaining('has no georeference')]);
    }
  });

  it.each(['1.0.0', '1.1.1', '2.0.1'])('denies anonymous users with a challenge in version %s', async (version) => {
    await server.post('/security/acl/services', '{"wcs.*":"ROLE_SURVEYOR"}');
    const path = `//geoserver/wcs?service=WCS&version=${version}&request=GetCapabilities`;
    const { status, headers } = await server.get(path, { as: null });
    await server.delete('/security/acl/services/wcs.*');

    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="Graticule", charset="UTF-8"']);
  });
});
