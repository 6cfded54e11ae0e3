/** The functions `gridCoverageStats` and `bandStats` in styles of rasters. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { addUser } from '../../../test/support/test-users.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';

const entry = (color: string, quantity: string) => `<ColorMapEntry color="${color}" quantity="\${${quantity}}"/>`;
const raster = (entries: readonly string[], type = 'ramp') =>
  `<Rule><RasterSymbolizer><ColorMap type="${type}">${entries.join('')}</ColorMap></RasterSymbolizer></Rule>`;
const literal = (text: string) => `<ogc:Literal>${text}</ogc:Literal>`;
const call = (name: string, ...inner: readonly string[]) =>
  `<ogc:Function name="${name}">${inner.join('')}</ogc:Function>`;
const statistic = (name: string) => call('gridCoverageStats', literal(name));
const dynamic = (ramp: string) =>
  `<Transformation>${call('ras:DynamicColorMap', call('parameter', literal('data')), call('parameter', literal('colorRamp'), ramp))}</Transformation><Rule><RasterSymbolizer/></Rule>`;
const colors = literal('rgb(0,0,255);rgb(255,0,0)');

const styles: Readonly<Record<string, string>> = {
  ramp: raster([entry('#0000ff', "gridCoverageStats('minimum')"), entry('#ff0000', "bandStats(0, 'maximum')")]),
  // The standard deviation of 30 equally frequent numbers is 8.66.
  deviation: raster(
    [
      entry('#00ff00', "gridCoverageStats('mean') - gridCoverageStats('stddev')"),
      entry('#ffff00', "gridCoverageStats('MEAN')"),
    ],
    'intervals',
  ),
  dynamic: dynamic(call('colormap', colors, statistic('minimum'), statistic('maximum'))),
  byMap: dynamic(call('colormap', colors)),
  unknownStatistic: raster([entry('#0000ff', "gridCoverageStats('median')")]),
  unknownBand: raster([entry('#0000ff', "bandStats(1, 'mean')")]),
  unknownRange: dynamic(call('colormap', colors, literal('5'), literal('1'))),
  ofFeatures: `<Rule><PointSymbolizer><Graphic><Size>${statistic('mean')}</Size></Graphic></PointSymbolizer></Rule>`,
};

describe('statistics of rasters in styles', () => {
  const server = useTestServer();

  beforeAll(async () => {
    // Values from 100 in the first to 129 in the last of 30 columns, each of 10 metres.
    const relief = geotiffBytes(30, 20, (index) => 100 + (index % 30));
    await publishTables(server, 'topo', [
      { name: 'spots', attributes: [geometryColumn('Point'), column('n', 'integer')], rows: [[wkt('POINT (1 1)'), 1]] },
    ]);
    await putTiff(server, '/workspaces/topo/coveragestores/relief/file.geotiff', relief);
    for (const [name, body] of Object.entries(styles)) {
      const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>relief</Name><UserStyle><FeatureTypeStyle>${body}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
      const reply = await server.post(`/workspaces/topo/styles?name=${name}`, sld, { type: SLD_TYPE });
      expect([reply.text, reply.status]).toEqual([name, 201]);
    }
  });

  /** The first 15 columns, one pixel each. */
  const draw = (style: string, user?: string) =>
    askMap(
      server,
      `service=WMS&version=1.1.1&request=GetMap&layers=topo:relief&styles=topo:${style}&srs=EPSG:32633&bbox=500000,4999800,500150,5000000&width=15&height=20&format=image/png`,
      user,
    );
  const readColors = async (style: string, user?: string) => {
    const reply = await draw(style, user);
    return [await colourAt(reply, 0, 5), await colourAt(reply, 14, 5)];
  };

  it('colours a part of the raster by the statistics of all of it', async () => {
    expect(await readColors('ramp')).toEqual(['#0000ff', '#7b0084']);
    expect(await readColors('dynamic')).toEqual(['#0000ff', '#7b0084']);
    expect(await readColors('byMap')).toEqual(['#0000ff', '#ff0000']);
  });

  it('computes the mean and the standard deviation', async () => {
    const reply = await draw('deviation');

    // The limits are 105.84 and 114.5.
    expect([await colourAt(reply, 5, 5), await colourAt(reply, 6, 5), await colourAt(reply, 14, 5)]).toEqual([
      '#00ff00',
      '#ffff00',
      '#ffff00',
    ]);
  });

  it('uses the cells that a user can see, also after a map of all cells', async () => {
    const ann = await addUser(server, 'ann', 'FIELD');
    const geometry = 'POLYGON ((500000 4999800, 500150 4999800, 500150 5000000, 500000 5000000, 500000 4999800))';
    const dataRule = { name: 'part', layer: 'topo:relief', roles: ['FIELD'], area: { geometry, crs: 'EPSG:32633' } };
    const all = await readColors('ramp');
    const made = await server.post('/security/acl/data', JSON.stringify({ dataRule }));
    const visible = await readColors('ramp', ann);
    const deleted = await server.delete('/security/acl/data/part');

    expect([made.status, deleted.status]).toEqual([201, 200]);
    expect([all, visible]).toEqual([
      ['#0000ff', '#7b0084'],
      ['#0000ff', '#ff0000'],
    ]);
    expect(await readColors('ramp')).toEqual(all);
  });

  it('uses the new cells after an upload', async () => {
    const path = '/workspaces/topo/coveragestores/replaced/file.geotiff';
    const query = (style: string) =>
      `service=WMS&version=1.1.1&request=GetMap&layers=topo:replaced&styles=topo:${style}&srs=EPSG:32633&bbox=500000,4999800,500150,5000000&width=15&height=20&format=image/png`;
    const readLast = async () => colourAt(await askMap(server, query('ramp')), 14, 5);
    await putTiff(
      server,
      path,
      geotiffBytes(30, 20, (index) => 100 + (index % 30)),
    );
    const before = await readLast();
    await putTiff(
      server,
      path,
      geotiffBytes(30, 20, (index) => 100 + Math.min(14, index % 30)),
    );

    expect([before, await readLast()]).toEqual(['#7b0084', '#ff0000']);
  });

  it.each([
    [
      'relief',
      'unknownStatistic',
      "Invalid call of 'gridCoverageStats' in the style: unknown statistic 'median'; use minimum, maximum, mean, stddev. Correct the style.",
    ],
    [
      'relief',
      'unknownBand',
      "Invalid call of 'bandStats' in the style: its first argument must be the index of a band, from 0 to 0. Correct the style.",
    ],
    [
      'relief',
      'unknownRange',
      "Invalid transformation 'DynamicColorMap' in the style: the range of parameter 'colorRamp' must be two numbers such as [0,100]. Correct the style.",
    ],
    [
      'spots',
      'ofFeatures',
      "Invalid call of 'gridcoveragestats' in the style: features have no statistics; use it in styles of rasters. Correct the style.",
    ],
  ])('rejects a map of %s in the style %s', async (layer, style, detail) => {
    const reply = await server.get(`//geoserver/ogc/maps/v1/collections/topo:${layer}/styles/topo:${style}/map?f=png`);

    expect([reply.status, reply.json()]).toEqual([400, expect.objectContaining({ detail })]);
  });

  it('rejects a filter with statistics', async () => {
    const filter = encodeURIComponent("n > gridCoverageStats('mean')");
    const reply = await server.get(`//geoserver/ogc/features/v1/collections/topo:spots/items?filter=${filter}`);

    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining(
        "'gridCoverageStats' is supported only in styles of rasters: features have no statistics",
      ),
    ]);
  });
});
