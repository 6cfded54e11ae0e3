/** Classes of the values of a layer, for clients that build thematic maps. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt, SMALL_MAP } from '../../../test/support/maps.ts';
import { postgisParameters } from '../../../test/support/postgis-sources.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { type RequestOptions, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { createGeotiff } from '../../../test/support/tiff-bytes.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const square = (x: number, size: number) =>
  wkt(`POLYGON ((${x} 0, ${x + size} 0, ${x + size} ${size}, ${x} ${size}, ${x} 0))`);

const people = [10, 20, 30, 40, 100];

async function publish(server: TestServer): Promise<void> {
  await publishTables(server, 'topo', [
    {
      name: 'states',
      attributes: [geometryColumn('Polygon'), column('name', 'string'), column('people', 'integer')],
      rows: people.map((count, index) => [square(index * 2, 1), index < 2 ? 'west' : 'east', count]),
    },
    {
      name: 'towns',
      attributes: [geometryColumn('Point'), column('people', 'double'), column('counted', 'date')],
      rows: [
        [wkt('POINT (1 1)'), 1.5, new Date('2024-03-31')],
        [wkt('POINT (2 2)'), null, null],
      ],
    },
  ]);
  await server.request('PUT', '/workspaces/topo/coveragestores/relief/file.geotiff', {
    body: createGeotiff(4, Uint8Array.from([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150])),
    type: 'image/tiff',
  });
}

interface Rules {
  readonly Rules: { readonly Rule: readonly Readonly<Record<string, unknown>>[] };
}

describe('classification', () => {
  const server = useTestServer();
  beforeAll(() => publish(server));

  const ask = (path: string, options: RequestOptions = {}) =>
    server.get(`/sldservice/${path}`, { as: null, ...options });
  const titles = async (query: string) => {
    const reply = await ask(`topo:states/classify.json?attribute=people&${query}`);
    const { Rules } = reply.json() as Rules;
    return [Rules.Rule].flat().map(({ Title }) => Title);
  };

  it('names the classes of dates without a time', async () => {
    const reply = await ask('topo:towns/classify.json?attribute=counted&method=uniqueInterval');

    expect([(reply.json() as Rules).Rules.Rule].flat()[0]).toMatchObject({ Title: '2024-03-31' });
  });

  it('returns rules as XML without namespaces', async () => {
    const reply = await ask(
      'topo:states/classify.xml?attribute=people&ramp=custom&startColor=0xFF0000&endColor=0x0000FF',
    );

    expect(reply.headers).toMatchObject({
      'content-type': 'application/xml',
      'cache-control': expect.stringContaining('600'),
    });
    expect(reply.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Rules>
  <Rule>
    <Title> &gt;= 10 AND &lt;= 55</Title>
    <Filter>
      <And>
        <PropertyIsGreaterThanOrEqualTo>
          <PropertyName>people</PropertyName>
          <Literal>10</Literal>
        </PropertyIsGreaterThanOrEqualTo>
        <PropertyIsLessThanOrEqualTo>
          <PropertyName>people</PropertyName>
          <Literal>55</Literal>
        </PropertyIsLessThanOrEqualTo>
      </And>
    </Filter>
    <PolygonSymbolizer>
      <Fill>
        <CssParameter name="fill">#FF0000</CssParameter>
      </Fill>
      <Stroke>
        <CssParameter name="stroke">#000000</CssParameter>
      </Stroke>
    </PolygonSymbolizer>
  </Rule>
  <Rule>
    <Title> &gt; 55 AND &lt;= 100</Title>
    <Filter>
      <And>
        <PropertyIsGreaterThan>
          <PropertyName>people</PropertyName>
          <Literal>55</Literal>
        </PropertyIsGreaterThan>
        <PropertyIsLessThanOrEqualTo>
          <PropertyName>people</PropertyName>
          <Literal>100</Literal>
        </PropertyIsLessThanOrEqualTo>
      </And>
    </Filter>
    <PolygonSymbolizer>
      <Fill>
        <CssParameter name="fill">#800080</CssParameter>
      </Fill>
      <Stroke>
        <CssParameter name="stroke">#000000</CssParameter>
      </Stroke>
    </PolygonSymbolizer>
  </Rule>
</Rules>
`);
  });

  it('returns the same rules as JSON, in the form that clients read', async () => {
    const reply = await ask('topo:states/classify.json?attribute=people&intervals=1&strokeWeight=-1');

    expect(reply.json()).toEqual({
      Rules: {
        Rule: {
          Title: ' >= 10 AND <= 100',
          Filter: {
            And: {
              PropertyIsGreaterThanOrEqualTo: { PropertyName: 'people', Literal: 10 },
              PropertyIsLessThanOrEqualTo: { PropertyName: 'people', Literal: 100 },
            },
          },
          PolygonSymbolizer: { Fill: { CssParameter: { '@name': 'fill', $: '#8E0000' } } },
        },
      },
    });
  });

  it('supports all methods', async () => {
    expect(await titles('method=quantile&intervals=2')).toEqual([' >= 10 AND <= 30', ' > 30 AND <= 100']);
    expect(await titles('method=jenks')).toEqual([' >= 10 AND <= 40', ' > 40 AND <= 100']);
    expect(await titles('method=equalArea&open=true')).toEqual([' <= 30', ' > 30']);
    expect(await titles('method=standardDeviation')).toEqual([' < 40', ' >= 40']);
    expect(await titles('method=uniqueInterval')).toEqual([10, 20, 30, 40, 100]);
    expect(await titles('stddevs=1&intervals=1&percentages=true&percentagesScale=0')).toEqual([
      ' >= 10 AND <= 40 (100%)',
    ]);
  });

  it('classifies texts by value, in a box', async () => {
    const reply = await ask(
      'topo:states/classify.json?attribute=name&method=uniqueInterval&percentages=true&bbox=0,0,5,5',
    );

    const { Rules } = reply.json() as Rules;
    expect(Rules.Rule.map(({ Title }) => Title)).toEqual(['east (33.3%)', 'west (66.7%)']);
  });

  it('uses custom classes without reading data', async () => {
    expect(await titles('customClasses=0,50,%23ff0000;50,90,blue;100,100,0x00ff00')).toEqual([
      ' >= 0 AND <= 50',
      ' > 50 AND <= 90',
      100,
    ]);
  });

  it('returns a style that draws the classes', async () => {
    const sld = (
      await ask('topo:states/classify.xml?attribute=people&fullSLD=true&strokeWeight=-1&colors=red,lime&ramp=custom')
    ).text;
    const map = await askMap(server, `${SMALL_MAP}&layers=topo:states&sld_body=${encodeURIComponent(sld)}`);

    expect([await colourAt(map, 1, 18), await colourAt(map, 17, 18)]).toEqual(['#ff0000', '#00ff00']);
  });

  it('draws points with marks and ignores null', async () => {
    const { Rules } = (await ask('topo:towns/classify.json?attribute=people&pointSize=9')).json() as Rules;

    expect(Rules.Rule).toMatchObject({
      Title: ' >= 1.5 AND <= 1.5',
      PointSymbolizer: { Graphic: { Mark: { WellKnownName: 'circle' }, Size: 9 } },
    });
  });

  it('classifies the cells of a coverage', async () => {
    const reply = await ask('topo:relief/classify.json?intervals=2&ramp=custom&colors=red,lime');

    expect(reply.json()).toEqual({
      Rules: {
        Rule: {
          RasterSymbolizer: {
            ColorMap: {
              '@type': 'intervals',
              ColorMapEntry: [
                { '@color': '#FF0000', '@quantity': '0', '@opacity': '0' },
                { '@color': '#FF0000', '@quantity': '75.00000000000001', '@label': '>= 0 AND <= 75' },
                { '@color': '#00FF00', '@quantity': '150.00000000000003', '@label': '> 75 AND <= 150' },
              ],
            },
          },
        },
      },
    });
  });

  it('creates a continuous colour map and one without data', async () => {
    const continuous = (await ask('topo:relief/classify.xml?continuous=true&ramp=jet')).text;
    const colors = (await ask('topo:relief/rasterize.sld?min=0&max=10&classes=3&digits=1&type=VALUES')).text;

    expect(continuous.match(/<ColorMapEntry[^>]*>/g)).toEqual([
      '<ColorMapEntry color="#0000FF" quantity="0" label="0"/>',
      '<ColorMapEntry color="#0000FF" quantity="75" label="&gt;= 0 AND &lt;= 75"/>',
      '<ColorMapEntry color="#FF0000" quantity="150" label="&gt; 75 AND &lt;= 150"/>',
    ]);
    expect(colors.match(/quantity="[^"]*" label="[^"]*"/g)).toEqual([
      'quantity="0" label="0.0"',
      'quantity="5" label="5.0"',
      'quantity="10" label="10.0"',
    ]);
  });

  it('lists attributes and methods', async () => {
    expect((await ask('topo:states/attributes.json')).json()).toEqual({
      Attributes: {
        '@layer': 'states',
        Attribute: [
          { name: 'the_geom', type: 'Polygon' },
          { name: 'name', type: 'String' },
          { name: 'people', type: 'Integer' },
        ],
      },
    });
    expect((await ask('topo:relief/attributes.xml')).text).toContain('<type>Double</type>');
    expect((await ask('capabilities.json')).json()).toMatchObject({
      capabilities: { raster: { classifications: expect.not.arrayContaining(['standardDeviation']) } },
    });
    expect((await ask('topo:states/capabilities.xml')).text).toContain('<classification>jenks</classification>');
  });

  it('rejects unknown layers, attributes and values', async () => {
    const codes = async (path: string) => {
      const { status, text } = await ask(path);
      return [status, (JSON.parse(text) as { code?: string; type?: string }).type];
    };
    expect(
      await Promise.all([
        codes('topo:nothing/classify?attribute=x'),
        codes('topo:states/classify'),
        codes('topo:states/classify?attribute=x'),
        codes('topo:states/classify?attribute=name'),
        codes('topo:states/classify?attribute=people&method=best'),
        codes('topo:states/classify?attribute=people&intervals=101'),
        codes('topo:states/classify?attribute=people&ramp=custom'),
        codes('topo:states/classify?attribute=people&method=uniqueInterval&intervalsForUnique=2'),
        codes('topo:states/classify?attribute=people&bbox=50,50,60,60'),
        codes('topo:relief/classify?attribute=2'),
        codes('topo:relief/classify?method=standardDeviation'),
        codes('topo:states/classify?attribute=x&customClasses=0,50,red'),
        codes('topo:states/classify?attribute=people&customClasses=-Infinity,50,red'),
        codes('topo:relief/rasterize?min=-1e308&max=1e308'),
        codes('topo:relief/rasterize?min=0&max=1e308'),
      ]),
    ).toEqual([
      [404, expect.stringContaining('classification-layer-unknown')],
      [400, expect.stringContaining('ows-parameter-missing')],
      [400, expect.stringContaining('classification-attribute-unknown')],
      [400, expect.stringContaining('classification-method-unsuitable')],
      [400, expect.stringContaining('ows-parameter-invalid')],
      [400, expect.stringContaining('ows-parameter-invalid')],
      [400, expect.stringContaining('ows-parameter-missing')],
      [400, expect.stringContaining('classification-too-many-values')],
      [404, expect.stringContaining('classification-empty')],
      [400, expect.stringContaining('classification-attribute-unknown')],
      [400, expect.stringContaining('ows-parameter-invalid')],
      [400, expect.stringContaining('classification-attribute-unknown')],
      [400, expect.stringContaining('ows-parameter-invalid')],
      [400, expect.stringContaining('ows-parameter-invalid')],
      [400, expect.stringContaining('ows-parameter-invalid')],
    ]);
  });

  it('warns about unknown parameters', async () => {
    const { headers } = await ask('topo:states/classify?attribute=people&interval=3');

    expect(headers['warning']).toContain("Unknown parameter 'interval'");
  });

  it('hides layers from users without access', async () => {
    await server.post('/security/acl/layers', JSON.stringify({ 'topo.states.r': 'ROLE_SECRET' }));

    expect((await ask('topo:states/classify?attribute=people')).status).toBe(404);
    expect((await ask('topo:states/attributes')).status).toBe(404);
    await server.delete('/security/acl/layers/topo.states.r');
  });
});

describe('classification under data rules', () => {
  const server = useTestServer();
  let ann = '';
  beforeAll(async () => {
    await publish(server);
    ann = await addUser(server, 'ann', 'FIELD');
  });

  it('computes classes of the visible rows and values only', async () => {
    const getClasses = async (query: string) => {
      const reply = await server.get(`/sldservice/topo:states/classify.json?${query}`, { as: ann });
      return reply.status === 200
        ? [(reply.json() as Rules).Rules.Rule].flat().map(({ Title }) => Title)
        : reply.status;
    };
    const addRule = (fields: object) =>
      server.post(
        '/security/acl/data',
        JSON.stringify({ dataRule: { layer: 'topo:states', roles: ['FIELD'], ...fields } }),
      );
    await addRule({ name: 'few', rows: 'people < 40' });
    const query = 'attribute=people&intervals=2&percentages=true';

    expect(await getClasses(query)).toEqual([' >= 10 AND <= 20 (66.7%)', ' > 20 AND <= 30 (33.3%)']);
    expect(await getClasses(`${query}&method=quantile`)).toEqual([
      ' >= 10 AND <= 20 (66.7%)',
      ' > 20 AND <= 30 (33.3%)',
    ]);
    expect(await getClasses('attribute=people&method=uniqueInterval')).toEqual([10, 20, 30]);

    await addRule({ name: 'hidden', rows: 'people >= 40', attributes: { people: 'hide' } });
    expect(await getClasses(query)).toEqual([' >= 10 AND <= 20 (66.7%)', ' > 20 AND <= 30 (33.3%)']);
    expect(await getClasses('attribute=people&method=uniqueInterval')).toEqual([10, 20, 30]);
  });
});

describeWithPostgis('classification in a database', (postgis) => {
  const server = useTestServer();

  it('reads the attribute of a table', async () => {
    await postgis.query('CREATE TABLE parcels (id serial PRIMARY KEY, price numeric, geom geometry(Polygon, 4326))');
    await postgis.query(
      'INSERT INTO parcels (price, geom) SELECT n, ST_MakeEnvelope(n, 0, n + 1, 1, 4326) FROM generate_series(1, 100) n',
    );
    await server.post('/workspaces', '<workspace><name>land</name></workspace>', { type: 'xml' });
    const connectionParameters = postgisParameters(postgis.connection);
    await server.post(
      '/workspaces/land/datastores',
      JSON.stringify({ dataStore: { name: 'db', connectionParameters } }),
    );
    await server.post(
      '/workspaces/land/datastores/db/featuretypes',
      '<featureType><name>parcels</name></featureType>',
      {
        type: 'xml',
      },
    );

    const reply = await server.get(
      '/sldservice/land:parcels/classify.json?attribute=price&method=quantile&intervals=4',
    );

    const { Rules } = reply.json() as Rules;
    expect(Rules.Rule.map(({ Title }) => Title)).toEqual([
      ' >= 1 AND <= 25',
      ' > 25 AND <= 50',
      ' > 50 AND <= 75',
      ' > 75 AND <= 100',
    ]);
  });
});
