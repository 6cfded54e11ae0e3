/** Rendering transformations in maps, feature queries, legends and tiles. */
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../test/support/feature-collections.ts';
import { askMap, colourAt } from '../../../test/support/maps.ts';
import { publishTables } from '../../../test/support/published-features.ts';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { SLD_TYPE } from '../../../test/support/styles.ts';
import { type Reply, useTestServer } from '../../../test/support/test-server.ts';
import { geotiffBytes } from '../../../test/support/tiff-bytes.ts';

const server = useTestServer();

const CSS_TYPE = 'application/vnd.geoserver.geocss+css';

/** The box 0, 0, 10, 10 as 100 by 100 pixels. */
const MAP = 'service=WMS&version=1.1.1&srs=EPSG:4326&bbox=0,0,10,10&width=100&height=100&format=image/png';

/** The relief rises by 10 from column to column: 30 by 20 cells of 10 metres. */
const RELIEF =
  'service=WMS&version=1.1.1&srs=EPSG:32633&bbox=500000,4999800,500300,5000000&width=300&height=200&format=image/png';

const styles = {
  clusters: `* { transform: vec:PointStacker(cellSize: 50); mark: symbol(circle); :mark { fill: #ff0000; size: 20; } }`,
  heat: `* { transform: vec:Heatmap(radiusPixels: 10); raster-channels: auto; raster-color-map: color-map-entry(#ffffff, 0, 0) color-map-entry(#0000ff, 1, 1); }`,
  lines: `* { transform: ras:Contour(levels: 105 205); stroke: #00aa00; stroke-width: 3; }`,
  invalid: '* { transform: vec:Heatmap(radiusPixels: 1000000000); raster-channels: auto; }',
  unknown: '* { transform: vec:Dreams(); mark: symbol(circle); }',
  counted:
    '/* @title few */ [count < 3] { mark: symbol(circle); } /* @title many */ [count >= 3] { mark: symbol(square); } * { transform: vec:PointStacker(cellSize: 50); }',
};

/** Queries return the raster, not the lines. */
const plainInfo = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>relief</Name><UserStyle><FeatureTypeStyle>
  <Transformation><ogc:Function name="gs:Contour"><ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
    <ogc:Function name="parameter"><ogc:Literal>levels</ogc:Literal><ogc:Literal>105</ogc:Literal></ogc:Function></ogc:Function></Transformation>
  <Rule><LineSymbolizer><Stroke/></LineSymbolizer></Rule><VendorOption name="transformFeatureInfo">false</VendorOption>
  </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

const warnings = new Map<string, string>();

beforeAll(async () => {
  await publishTables(server, 'topo', [
    {
      name: 'spots',
      attributes: [geometryColumn('Point'), column('kind', 'string'), column('weight', 'integer')],
      rows: [
        [wkt('POINT (2 2)'), 'a', 1],
        [wkt('POINT (2.2 2)'), 'a', 2],
        [wkt('POINT (2 2.2)'), 'b', 3],
        [wkt('POINT (8 8)'), 'b', 4],
      ],
    },
  ]);
  await putTiff(
    server,
    '/workspaces/topo/coveragestores/relief/file.geotiff',
    geotiffBytes(30, 20, (index) => ((index % 30) * 10) % 256),
  );
  for (const [name, css] of Object.entries(styles)) {
    const reply = await server.post(`/workspaces/topo/styles?name=${name}`, css, { type: CSS_TYPE });
    expect([name, reply.status]).toEqual([name, 201]);
    warnings.set(name, String(reply.headers['warning'] ?? ''));
  }
  await server.post('/workspaces/topo/styles?name=plainInfo', plainInfo, { type: SLD_TYPE });
});

const draw = (style: string, more = '') =>
  askMap(server, `${MAP}&request=GetMap&layers=topo:spots&styles=topo:${style}&${more}`);

const info = async (query: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const reply = await askMap(server, `${query}&request=GetFeatureInfo&info_format=application/json`);
  const { features } = reply.json() as {
    readonly features: readonly { readonly properties: Record<string, unknown> }[];
  };
  return features.map(({ properties }) => properties);
};

const spots = (style: string, x: number, y: number, more = '') =>
  info(`${MAP}&layers=topo:spots&query_layers=topo:spots&styles=topo:${style}&x=${x}&y=${y}${more}`);

async function countPixels({ bytes }: Reply, isPainted: (red: number, green: number, blue: number) => boolean) {
  const { data } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (isPainted(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) count += 1;
  return count;
}

describe('GetMap with a transformation', () => {
  it('draws clusters instead of features', async () => {
    const reply = await draw('clusters');

    // The middle of the three members and the centre of their cell.
    expect(await colourAt(reply, 23, 77)).toBe('#ff0000');
    expect(await colourAt(reply, 50, 50)).toBe('#ffffff');
  });

  it('draws a coverage computed from features', async () => {
    const reply = await draw('heat');

    expect(await colourAt(reply, 20, 79)).toMatch(/^#[0-2].[0-2].ff$/);
    expect(await colourAt(reply, 50, 50)).toBe('#ffffff');
  });

  it('applies filters of the request to the input', async () => {
    expect(await colourAt(await draw('clusters', 'cql_filter=weight>3'), 23, 77)).toBe('#ffffff');
    expect(await spots('clusters', 23, 77, "&cql_filter=kind='a'")).toMatchObject([{ count: 2 }]);
  });

  it('draws contours of a coverage', async () => {
    const reply = await askMap(server, `${RELIEF}&request=GetMap&layers=topo:relief&styles=topo:lines`);

    // The value 105 is between the columns of 100 and 110, whose centres are at the pixels 105 and 115.
    expect(await colourAt(reply, 110, 100)).toBe('#00aa00');
    expect(await colourAt(reply, 130, 100)).toBe('#ffffff');
  });

  it.each(['image/svg%2Bxml', 'application/pdf', 'image/jpeg'])('draws %s', async (format) => {
    const reply = await askMap(
      server,
      `${RELIEF.replace('image/png', format)}&request=GetMap&layers=topo:relief&styles=topo:lines`,
    );

    expect([reply.status, reply.headers['content-type']]).toEqual([
      200,
      expect.stringContaining(decodeURIComponent(format)),
    ]);
  });

  it('warns about errors at the upload and rejects the map', async () => {
    expect(warnings.get('heat')).toBe('');
    expect(warnings.get('invalid')).toContain("parameter 'radiusPixels' must be an integer from 1 to 1000");
    expect(warnings.get('unknown')).toContain("Invalid transformation 'vec:Dreams': the process is unknown");
    expect((await draw('invalid')).text).toContain("parameter 'radiusPixels' must be an integer from 1 to 1000");
    expect((await draw('unknown')).text).toContain('the process is unknown');
  });

  it('rejects an attribute that the layer does not have', async () => {
    const css = "* { transform: vec:Heatmap(radiusPixels: 5, weightAttr: 'nothing'); raster-channels: auto; }";
    await server.post('/workspaces/topo/styles?name=nothing', css, { type: CSS_TYPE });

    expect((await draw('nothing')).text).toContain("attribute 'nothing' does not exist");
  });
});

describe('GetFeatureInfo with a transformation', () => {
  it('returns the computed features', async () => {
    expect(await spots('clusters', 23, 77)).toEqual([{ count: 3, countunique: 3 }]);
    expect(await spots('clusters', 50, 50)).toEqual([]);
  });

  it('returns clusters as points', async () => {
    const query = `${MAP}&layers=topo:spots&query_layers=topo:spots&styles=topo:clusters&x=23&y=77`;
    const reply = await askMap(server, `${query}&request=GetFeatureInfo&info_format=application/json`);

    expect(reply.json()).toMatchObject({
      features: [{ geometry: { type: 'Point', coordinates: [expect.closeTo(2.28, 1), expect.closeTo(2.28, 1)] } }],
    });
  });

  it('returns the values of a computed coverage', async () => {
    const [found] = await spots('heat', 20, 79);

    expect(Number(found?.['heatmap'])).toBeGreaterThan(0.5);
  });

  it('returns computed lines, or the raster if the style requests it', async () => {
    const relief = (style: string) =>
      info(`${RELIEF}&layers=topo:relief&query_layers=topo:relief&styles=topo:${style}&x=110&y=100`);

    expect(await relief('lines')).toEqual([{ value: 105 }]);
    expect(await relief('plainInfo')).toEqual([{ GRAY_INDEX: 110 }]);
  });
});

describe('legends and tiles with a transformation', () => {
  it('shows the rules of the style, and counts the computed features', async () => {
    const legend = 'service=WMS&version=1.1.1&request=GetLegendGraphic&layer=topo:spots&style=topo:counted';
    const counted = `${legend}&format=application/json&srs=EPSG:4326&bbox=7,7,9,9&srcwidth=100&srcheight=100&legend_options=hideEmptyRules:true`;

    const reply = await askMap(server, counted);

    expect(reply.status).toBe(200);
    expect(reply.text).toContain('"title":"few"');
    expect(reply.text).not.toContain('"title":"many"');
    expect((await askMap(server, `${legend}&format=image/png`)).headers['content-type']).toBe('image/png');
    const colors = await askMap(server, `${legend.replace('counted', 'heat')}&format=image/png`);
    expect(await countPixels(colors, (red, _, blue) => blue > red)).toBeGreaterThan(20);
  });

  it('draws tiles', async () => {
    const reply = await server.get(
      '//geoserver/gwc/service/wmts/rest/topo:spots/topo:clusters/EPSG:4326/EPSG:4326:5/15/32?format=image/png',
      { as: null },
    );

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
    expect(await countPixels(reply, (red, green) => red > 200 && green < 50)).toBeGreaterThan(100);
  });
});
