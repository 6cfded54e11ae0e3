import { beforeAll, describe, expect, it } from 'vitest';
import { trial } from '../../../test/support/archives.ts';
import { groupOf } from '../../../test/support/layer-groups.ts';
import { askMap, colourAt, fillSld, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { readVectorTile } from '../../../test/support/vector-tiles.ts';

const server = useTestServer();

beforeAll(async () => {
  await publishSquares(server);
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
});

const [RED, BLUE, WHITE] = ['#ff0000', '#0000ff', '#ffffff'];

/** Lower left, upper left, upper right: `low`, `high` and `whole`. */
async function colours(query: string, path = 'wms'): Promise<readonly string[]> {
  const reply = await server.get(`//geoserver/${path}?${SMALL_MAP}&${query}`, { as: null });
  return [await colourAt(reply, 4, 15), await colourAt(reply, 4, 4), await colourAt(reply, 15, 4)];
}

describe('GetMap', () => {
  it('draws layers in their default styles', async () => {
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west,topo:east`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
    expect(reply.headers['content-disposition']).toBe('inline; filename=topo-west.png');
    expect(await colours('layers=topo:west,topo:east')).toEqual([RED, RED, BLUE]);
    expect(await colours('layers=topo:east')).toEqual([WHITE, WHITE, BLUE]);
  });

  it('draws the layers of a group', async () => {
    expect(await colours('layers=both')).toEqual([RED, RED, BLUE]);
  });

  it('accepts bare names in the services of a workspace and of a layer', async () => {
    expect(await colours('layers=west', 'topo/wms')).toEqual([RED, RED, WHITE]);
    expect(await colours('layers=west', 'topo/west/ows')).toEqual([RED, RED, WHITE]);
    expect((await server.get(`//geoserver/topo/west/wms?${SMALL_MAP}&layers=east`)).text).toContain('LayerNotDefined');
  });

  it('draws other styles, one for each layer', async () => {
    expect(await colours('layers=topo:west,topo:east&STYLES=blue,')).toEqual([BLUE, BLUE, BLUE]);
    expect(await colours('layers=topo:west&STYLES=topo:blue')).toEqual([BLUE, BLUE, WHITE]);
  });

  it('uses the axis order of its version', async () => {
    const north = SMALL_MAP.replace('1.1.1', '1.3.0')
      .replace('srs=EPSG:4326&bbox=0,0,10,10', 'crs=EPSG:4326&bbox=0,0,10,20')
      .replace('width=20', 'width=40');
    const reply = await askMap(server, `${north}&layers=topo:west,topo:east`);

    expect([await colourAt(reply, 4, 10), await colourAt(reply, 15, 10), await colourAt(reply, 25, 10)]).toEqual([
      RED,
      BLUE,
      WHITE,
    ]);
    const plain = north.replace('crs=EPSG:4326&bbox=0,0,10,20', 'crs=CRS:84&bbox=0,0,20,10');
    expect(await colourAt(await askMap(server, `${plain}&layers=topo:west,topo:east`), 15, 10)).toBe(BLUE);
  });

  it('draws in every known CRS', async () => {
    const mercator = SMALL_MAP.replace('EPSG:4326&bbox=0,0,10,10', 'EPSG:3857&bbox=0,0,1113194.9,1118889.97');

    const reply = await askMap(server, `${mercator}&layers=both`);

    expect([await colourAt(reply, 4, 4), await colourAt(reply, 15, 15)]).toEqual([RED, BLUE]);
  });

  it('applies a filter to each layer', async () => {
    expect(await colours("layers=topo:west&cql_filter=kind='low'")).toEqual([RED, WHITE, WHITE]);
    expect(await colours('layers=topo:west,topo:east&cql_filter=rank=2;INCLUDE')).toEqual([WHITE, RED, BLUE]);
    expect(await colours('layers=topo:west&featureId=west.2')).toEqual([WHITE, RED, WHITE]);
    const filter =
      '<Filter><PropertyIsEqualTo><PropertyName>kind</PropertyName><Literal>high</Literal></PropertyIsEqualTo></Filter>';
    expect(await colours(`layers=topo:west&filter=${encodeURIComponent(filter)}`)).toEqual([WHITE, RED, WHITE]);
    // Without a CRS, x comes before y.
    expect(await colours('layers=topo:west&cql_filter=BBOX(the_geom,0,6,1,7)')).toEqual([WHITE, RED, WHITE]);
  });

  it('draws a transparent background or another background colour', async () => {
    expect(await colours('layers=topo:west&transparent=TRUE')).toEqual([RED, RED, '#00000000']);
    expect(await colours('layers=topo:west&bgcolor=0x00FF00')).toEqual([RED, RED, '#00ff00']);
    expect(await colours('layers=topo:west&transparent=maybe')).toEqual([RED, RED, WHITE]);
  });

  it('accepts a form', async () => {
    const reply = await server.post('//geoserver/ows', `${SMALL_MAP}&layers=topo:west`, {
      as: null,
      type: 'application/x-www-form-urlencoded',
    });

    expect(await colourAt(reply, 4, 4)).toBe(RED);
  });

  it('needs only layers in the reflector, and chooses defaults for the rest', async () => {
    const reply = await server.get('//geoserver/wms/reflect?layers=topo:west', { as: null });

    expect(reply.headers['content-type']).toBe('image/png');
    expect([await colourAt(reply, 0, 0), await colourAt(reply, 255, 511)]).toEqual([RED, RED]);
  });

  it('ignores common client parameters without an effect', async () => {
    const more =
      'layers=topo:west&DPI=96&MAP_RESOLUTION=96&FORMAT_OPTIONS=dpi:96&TILED=true&TILESORIGIN=0,0&&SERVICE=WMS';

    expect(await colours(more)).toEqual([RED, RED, WHITE]);
  });
});

describe('map formats', () => {
  it.each([
    ['image/png8', 'image/png; mode=8bit', '89504e47'],
    ['image/png; mode=8bit', 'image/png; mode=8bit', '89504e47'],
    ['image/jpeg', 'image/jpeg', 'ffd8ff'],
    ['image/gif', 'image/gif', '47494638'],
    ['image/webp', 'image/webp', '52494646'],
    ['image/tiff', 'image/tiff', '4949'],
    ['image/geotiff', 'image/geotiff', '4949'],
    ['image/svg xml', 'image/svg+xml', '3c3f786d6c'],
    ['application/pdf', 'application/pdf', '255044462d312e34'],
    ['kml', 'application/vnd.google-earth.kml+xml', '3c3f786d6c'],
    ['kmz', 'application/vnd.google-earth.kmz', '504b0304'],
    ['application/openlayers', 'text/html; subtype=openlayers3', '3c21646f6374797065'],
    ['image/vnd.jpeg-png', 'image/jpeg', 'ffd8ff'],
    ['utfgrid', 'application/json;type=utfgrid', '7b2267726964'],
    ['application/x-protobuf;type=mapbox-vector', 'application/vnd.mapbox-vector-tile', '1a'],
  ])('return %s as %s', async (format, type, head) => {
    const query = SMALL_MAP.replace('image/png', encodeURIComponent(format));

    const reply = await askMap(server, `${query}&layers=topo:west`);

    expect(
      [reply.headers['content-type'], reply.bytes.toString('hex').startsWith(head)],
      reply.text.slice(0, 500),
    ).toEqual([type, true]);
  });
});

describe('map as a document', () => {
  const as = (format: string) => `${SMALL_MAP.replace('image/png', encodeURIComponent(format))}&layers=both`;

  it('contains shapes as paths in SVG and PDF', async () => {
    const svg = await askMap(server, as('image/svg+xml'));

    expect(svg.text).toMatch(/<path fill="red" d="M0 20L10 20L10 10/);
    expect(svg.text).not.toContain('<image');
    const pdf = (await askMap(server, as('application/pdf'))).bytes.toString('latin1');
    expect(pdf).toMatch(/^%PDF-/);
    expect(pdf).not.toContain('/Subtype /Image');
  });

  it('contains the features of each layer in a vector tile, with the filters of the request', async () => {
    const tile = await askMap(server, `${as('application/vnd.mapbox-vector-tile')}&cql_filter=rank<>2`);
    const none = await askMap(server, `${as('mvt')}&cql_filter=rank=9`);

    expect(
      readVectorTile(tile.bytes).map(({ name, features }) => [name, features.map(({ properties }) => properties)]),
    ).toEqual([
      ['west', [{ kind: 'low', rank: 1 }]],
      ['east', [{ kind: 'whole', rank: 3 }]],
    ]);
    const places = readVectorTile(tile.bytes)[1]?.features[0]?.places ?? [];
    expect([Math.min(...places.map(([x]) => x)), Math.max(...places.map(([, y]) => y))]).toEqual([2_048, 4_096]);
    expect([none.status, none.bytes.length]).toEqual([200, 0]);
  });

  it('contains only the attributes of a vector tile that the request names', async () => {
    const named = await askMap(server, `${as('mvt')}&properties=kind`);

    const propertiesIn = (bytes: Uint8Array) =>
      readVectorTile(bytes).flatMap(({ features }) => features.flatMap(({ properties }) => Object.keys(properties)));
    expect(new Set(propertiesIn(named.bytes))).toEqual(new Set(['kind']));
  });

  it('rejects unknown attributes of a vector tile and lists the known ones', async () => {
    const reply = await askMap(server, `${as('mvt')}&properties=kind,kinds`);

    expect(reply.text).toContain('kinds');
    expect(reply.text).toContain('InvalidParameterValue');
    expect(reply.text).toContain('kind, rank');
  });

  it('contains the feature of each cell and its attributes in UTFGrid', async () => {
    const reply = await askMap(server, `${as('application/json;type=utfgrid')}&cql_filter=rank<>2`);
    const fine = await askMap(server, `${as('utfgrid')}&format_options=utfresolution:10`);

    expect(reply.json()).toEqual({
      grid: ['  !!!', '  !!!', '##!!!', '##!!!', '##!!!'],
      keys: ['', '1', '2'],
      data: { '1': { kind: 'whole', rank: 3 }, '2': { kind: 'low', rank: 1 } },
    });
    expect((fine.json() as { grid: readonly string[] }).grid).toEqual(['!#', '$#']);
  });

  it('contains only features drawn by the style in KML, with their appearance', async () => {
    const rule =
      '<ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>low</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>';
    const stroke =
      '</Fill><Stroke><CssParameter name="stroke">#102030</CssParameter><CssParameter name="stroke-opacity">0.5</CssParameter><CssParameter name="stroke-width">2.5</CssParameter></Stroke></PolygonSymbolizer><TextSymbolizer><Label><ogc:PropertyName>kind</ogc:PropertyName></Label></TextSymbolizer>';
    const sld = fillSld('#00ff00', { layer: 'topo:west', rule }).replace('</Fill></PolygonSymbolizer>', stroke);

    const { text } = await askMap(
      server,
      `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:west&kmattr=false&sld_body=${encodeURIComponent(sld)}`,
    );

    expect(text.match(/<Placemark /g)).toHaveLength(1);
    expect(text).toContain(
      '<name>low</name><Style><IconStyle><scale>0</scale></IconStyle><LabelStyle><color>ff000000</color><scale>0.63</scale></LabelStyle><LineStyle><color>80302010</color><width>2.5</width></LineStyle><PolyStyle><color>ff00ff00</color><outline>1</outline></PolyStyle></Style>',
    );
  });

  it('contains features in KML whose rule is for KML only, which images do not show', async () => {
    const rule =
      '<ogc:Filter><ogc:PropertyIsEqualTo><ogc:Function name="env"><ogc:Literal>kmlOutputMode</ogc:Literal></ogc:Function><ogc:Literal>vector</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>';
    const style = `sld_body=${encodeURIComponent(fillSld('#00ff00', { layer: 'topo:west', rule }))}`;

    const kml = await askMap(server, `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:west&${style}`);
    const image = await askMap(server, `${SMALL_MAP}&layers=topo:west&${style}`);

    expect(kml.text.match(/<Placemark /g)).toHaveLength(2);
    expect(await colourAt(image, 5, 10)).toBe('#ffffff');
  });

  it('contains polygons in KML with the rule of a style that tests the geometry', async () => {
    const { text } = await askMap(server, `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:west&STYLES=generic`);

    expect(text.match(/<Placemark /g)).toHaveLength(2);
    expect(text.match(/<PolyStyle><color>[^<]*<\/color><outline>1<\/outline><\/PolyStyle>/g)).toHaveLength(2);
  });

  it.each(['mvt', 'kml'])('contains features beyond the antimeridian as %s', async (format) => {
    const turned = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=-358,0,2,10').replace('image/png', format);

    const { bytes, text } = await askMap(server, `${turned}&layers=topo:east`);

    const places =
      format === 'mvt' ? readVectorTile(bytes).flatMap(({ features }) => features.flatMap((each) => each.places)) : [];
    expect(format === 'mvt' ? Math.min(...places.map(([x]) => x)) : text.match(/<Placemark /g)?.length).toBe(
      format === 'mvt' ? 34 : 1,
    );
  });

  it('contains the icons of rules for points in KML', async () => {
    const unused =
      '<Rule><Name>unused</Name><MaxScaleDenominator>1</MaxScaleDenominator><PointSymbolizer><Graphic/></PointSymbolizer></Rule></FeatureTypeStyle>';
    const sld = fillSld('#00ff00')
      .replace('</FeatureTypeStyle>', unused)
      .replace(
        /<PolygonSymbolizer>.*<\/PolygonSymbolizer>/,
        '<PointSymbolizer><Graphic><Mark><WellKnownName>star</WellKnownName><Fill/></Mark><Size>16</Size><Rotation>45</Rotation></Graphic></PointSymbolizer>',
      );
    await server.post('/workspaces/topo/styles?name=stars', sld, { type: 'application/vnd.ogc.sld+xml' });

    const { text } = await askMap(server, `${SMALL_MAP.replace('image/png', 'kml')}&layers=topo:west&STYLES=stars`);
    const [, href = ''] = /<scale>0.5<\/scale><heading>45<\/heading><Icon><href>([^<]*)</.exec(text) ?? [];

    const icon = await server.get(href.replaceAll('&amp;', '&').replace('http://localhost:80/', '//'), { as: null });
    expect(icon.headers['content-type']).toBe('image/png');

    // The archive contains them.
    const packed = await askMap(server, `${SMALL_MAP.replace('image/png', 'kmz')}&layers=topo:west&STYLES=stars`);
    const { unpack, read, listing } = await trial(packed.bytes);
    await unpack();
    expect(await read('doc.kml')).toContain('<Icon><href>icons/1-1.png</href></Icon>');
    expect(await listing()).toContain('unpacked/icons/1-1.png');
    expect((await read('icons/1-1.png')).slice(1, 4)).toBe('PNG');
    expect(await listing()).not.toContain('unpacked/icons/1-2.png');
  });
});

describe('invalid GetMap request', () => {
  it.each(['1000.5', '0.5', '1e30', 'soon', '-1'])(
    'does not include a time limit of %s, which is rounded or ignored',
    async (time) => {
      const asked = `layers=topo:west&format_options=timeout:${time}`;
      for (const format of ['image/png', 'utfgrid', 'kml']) {
        const reply = await askMap(server, `${SMALL_MAP.replace('image/png', format)}&${asked}`);

        expect([200, 503], reply.text).toContain(reply.status);
      }
    },
  );

  it.each([
    ['layers=topo:nothing', 'code="LayerNotDefined" locator="layers"'],
    ['layers=topo:west&STYLES=nothing', 'code="StyleNotDefined" locator="styles"'],
    ['layers=topo:west,topo:east&STYLES=red', 'code="StyleNotDefined"'],
    ['layers=topo:west&BBOX=0,0,10', 'code="InvalidParameterValue" locator="BBOX"'],
    ["layers=topo:west&cql_filter=nothing='a'", 'code="InvalidParameterValue" locator="cql_filter"'],
    ['layers=topo:west&bgcolor=red', 'locator="bgcolor"'],
    ['', 'code="MissingParameterValue" locator="layers"'],
  ])('returns the exception code: %s', async (query, expected) => {
    const reply = await askMap(server, `${SMALL_MAP}&${query}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.ogc.se_xml;charset=utf-8']);
    expect(reply.text).toContain('<ServiceExceptionReport version="1.1.1">');
    expect(reply.text).toContain(expected);
  });

  it.each([
    ['srs=EPSG:4326', 'srs=EPSG:1', 'code="InvalidSRS"'],
    ['srs=EPSG:4326&', '', 'code="MissingParameterValue" locator="srs"'],
    ['bbox=0,0,10,10', 'bbox=10,0,0,10', 'code="InvalidBBox"'],
    ['bbox=0,0,10,10', 'bbox=0,0,0,10', 'code="InvalidBBox"'],
    ['bbox=0,0,10,10', 'bbox=0,0,NaN,10', 'code="InvalidBBox"'],
    ['width=20', 'width=0', 'code="InvalidParameterValue" locator="width"'],
    ['width=20', 'width=-5', 'code="InvalidParameterValue" locator="width"'],
    ['width=20&height=20', 'width=50000&height=50000', 'exceeds the limit'],
    ['format=image/png', 'format=image/nothing', 'code="InvalidFormat"'],
  ])('names the parameter: %s -> %s', async (from, to, expected) => {
    const reply = await askMap(server, `${SMALL_MAP.replace(from, to)}&layers=topo:west`);

    expect(reply.text).toContain(expected);
  });
});
