import { beforeAll, describe, expect, it } from 'vitest';
import { trial } from '../../../../test/support/archives.ts';
import { geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../../test/support/maps.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(async () => {
  await publishSquares(server);
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
});

const MAP = `${SMALL_MAP.replace('image/png', 'kml')}`;

async function askReflector(query: string) {
  return server.get(`//geoserver/wms/kml?${query}`, { as: null });
}

function listHrefs(text: string): readonly string[] {
  return [...text.matchAll(/<href>([^<]*)<\/href>/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

function readQuery(href: string | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(href ?? '').searchParams);
}

async function follow(href: string | undefined) {
  return server.get((href ?? '').replace('http://localhost:80/', '//'), { as: null });
}

function count(text: string, element: string): number {
  return text.split(`<${element}`).length - 1;
}

describe('/wms/kml', () => {
  it('returns a link to the map of the current view by default', async () => {
    const reply = await askReflector(
      'layers=topo:west&styles=blue&cql_filter=rank=1&kmattr=false&env=a:1&format_options=dpi:180;kmltitle:Two %26 two;legend:true',
    );

    expect(reply.headers).toMatchObject({
      'content-type': 'application/vnd.google-earth.kml+xml',
      'content-disposition': 'attachment; filename=topo-west.kml',
    });
    expect(reply.headers['warning']).toBeUndefined();
    expect(reply.text).toContain('<Document><name>Two &amp; two</name>');
    expect(reply.text).toContain('<LookAt><longitude>2.5</longitude><latitude>5</latitude>');
    expect(reply.text).toContain(
      '<viewRefreshMode>onStop</viewRefreshMode><viewRefreshTime>1</viewRefreshTime><viewFormat>bbox=[bboxWest],[bboxSouth],[bboxEast],[bboxNorth]</viewFormat>',
    );
    const [map, legend] = listHrefs(reply.text);
    expect(readQuery(map)).toEqual({
      ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', layers: 'topo:west', styles: 'blue', srs: 'EPSG:4326' },
      ...{
        width: '2048',
        height: '2048',
        format: 'application/vnd.google-earth.kml+xml',
        kmscore: '50',
        kmattr: 'false',
      },
      ...{ cql_filter: 'rank=1', env: 'a:1', format_options: 'dpi:180' },
    });
    const view = await follow(`${map}&bbox=0,0,10,10`);
    expect([count(view.text, 'Placemark'), count(view.text, 'ScreenOverlay')]).toEqual([1, 0]);
    expect(readQuery(legend)).toMatchObject({ request: 'GetLegendGraphic', layer: 'topo:west', style: 'blue' });
    expect((await follow(legend)).headers['content-type']).toBe('image/png');
  });

  it('links each layer with its own filter, order, parameters and style', async () => {
    const { text } = await askReflector(
      "layers=topo:west,topo:east&styles=,red&cql_filter=kind='a;b';rank=3&sortBy=(rank D)(kind)&viewparams=a:1\\,2,b:3&interpolations=bilinear,bicubic&time=2020",
    );

    expect(listHrefs(text).map(readQuery)).toMatchObject([
      {
        layers: 'topo:west',
        styles: '',
        cql_filter: "kind='a;b'",
        sortBy: 'rank D',
        viewParams: 'a:1\\,2',
        time: '2020',
      },
      { layers: 'topo:east', styles: 'red', cql_filter: 'rank=3', sortBy: 'kind', viewParams: 'b:3', time: '2020' },
    ]);
    expect(listHrefs(text).map((href) => readQuery(href)['interpolations'])).toEqual(['bilinear', 'bicubic']);
  });

  it('returns the features in the mode download, however many', async () => {
    const [features, zipped] = [
      await askReflector('layers=topo:west&mode=Download'),
      await askReflector('layers=topo:west&mode=download&format=kmz'),
    ];

    expect(features.headers['content-disposition']).toBe('attachment; filename=topo-west.kml');
    expect([count(features.text, 'Placemark'), count(features.text, 'NetworkLink')]).toEqual([2, 0]);
    expect(zipped.headers['content-type']).toBe('application/vnd.google-earth.kmz');
  });

  it('returns features at the edge of an extent that another program has rounded', async () => {
    const rows = ['POINT (6.14 46.2)', 'POINT (8.54 47.37)'].map((place) => [wkt(place)]);
    await publishTables(server, 'edges', [{ name: 'points', attributes: [geometryColumn('Point')], rows }]);
    const box = { minx: 6.140000000000001, maxx: 8.54, miny: 46.2, maxy: 47.36999999999999, crs: 'EPSG:4326' };
    const featureType = { nativeBoundingBox: box, latLonBoundingBox: box };
    await server.put('/workspaces/edges/datastores/data/featuretypes/points', JSON.stringify({ featureType }));

    const { text } = await askReflector('layers=edges:points&mode=download');
    expect(count(text, 'Placemark ')).toBe(2);
  });

  it('rejects other modes, unknown layers and requests without layers', async () => {
    expect((await askReflector('layers=topo:west&mode=tour')).text).toContain('refresh, superoverlay or download');
    expect((await askReflector('layers=topo:none')).text).toContain('LayerNotDefined');
    expect((await askReflector('mode=refresh')).text).toContain('layers');
    expect((await askReflector('layers=topo:west&kmscore=101')).text).not.toContain('exception');
    expect((await askReflector('layers=topo:west&kmscore=101&mode=download')).text).toContain('a number from 0 to 100');
  });
});

describe('super-overlay', () => {
  it('links the smallest tile of the world that contains the layer', async () => {
    const { text } = await askReflector('layers=topo:east&mode=superoverlay&superoverlay_mode=raster');

    // The layer has the extent 0,0,10,10.
    expect(text).toContain(
      '<LatLonAltBox><north>11.25</north><south>0</south><east>22.5</east><west>0</west></LatLonAltBox><Lod><minLodPixels>128</minLodPixels><maxLodPixels>-1</maxLodPixels></Lod>',
    );
    expect(text).toContain('<viewRefreshMode>onRegion</viewRefreshMode>');
    expect(readQuery(listHrefs(text)[0])).toMatchObject({
      ...{ layers: 'topo:east', bbox: '0,0,22.5,11.25', width: '512', height: '256' },
      ...{ superoverlay: 'true', superoverlay_mode: 'raster' },
    });
  });

  it('has an image for each tile, and links to the parts with data', async () => {
    const [root] = listHrefs((await askReflector('layers=topo:east&mode=superoverlay&superoverlay_mode=raster')).text);
    const tile = await follow(root);

    const [image, ...parts] = listHrefs(tile.text);
    expect(tile.text).toContain('<drawOrder>4</drawOrder>');
    expect(parts.map((href) => readQuery(href)['bbox'])).toEqual(['0,5.625,11.25,11.25', '0,0,11.25,5.625']);
    const drawn = await follow(image);
    // The layer covers columns 0 to 227 of 512, and rows 28 to 255 of 256.
    expect([await colourAt(drawn, 200, 40), await colourAt(drawn, 240, 40)]).toEqual(['#0000ff', '#00000000']);
    const next = await follow(parts[0]);
    expect([count(next.text, 'GroundOverlay>'), count(next.text, 'NetworkLink>')]).toEqual([1, 4]);
  });

  it('ends with placemarks where the score permits them', async () => {
    const tile = `${MAP}&layers=topo:west&superoverlay=true`;
    const few = await askMap(server, tile);
    const many = await askMap(server, `${tile}&kmscore=1&superoverlay_mode=overview`);
    const both = await askMap(server, `${tile}&superoverlay_mode=hybrid`);
    const nothing = await askMap(
      server,
      `${tile.replace('bbox=0,0,10,10', 'bbox=50,50,60,60')}&superoverlay_mode=hybrid`,
    );

    const counts = [few, many, both, nothing].map(({ text }) =>
      ['Placemark ', 'GroundOverlay>', 'NetworkLink>'].map((element) => count(text, element)),
    );
    expect(counts).toEqual([
      [2, 0, 0],
      [0, 1, 4],
      [2, 1, 4],
      [0, 0, 0],
    ]);
    // Placemarks replace the images of larger tiles.
    expect(many.text).toContain('<maxLodPixels>512</maxLodPixels>');
    // The parts of a tile with placemarks do not repeat them.
    expect(readQuery(listHrefs(both.text).at(-1))).toMatchObject({ superoverlay_mode: 'raster' });
  });
});

describe('options of KML', () => {
  it('permit all features in a map without a score, and fewer in the links of views', async () => {
    const rows = Array.from({ length: 2_200 }, (_, index) => [wkt(`POINT (${index % 10} ${(index % 99) / 10})`)]);
    await publishTables(server, 'many', [{ name: 'points', attributes: [geometryColumn('Point')], rows }]);
    const map = await askMap(server, `${MAP}&layers=many:points`);
    const [link] = listHrefs((await askReflector('layers=many:points')).text);
    const view = await follow(`${link}&bbox=0,0,10,10`);

    expect([map, view].map(({ text }) => [count(text, 'Placemark '), count(text, 'GroundOverlay>')])).toEqual([
      [2_200, 0],
      [0, 1],
    ]);
  });

  it('have an image instead of placemarks above the number of features of the score', async () => {
    const ask = (score: string) => askMap(server, `${MAP}&layers=topo:west,topo:east&kmscore=${score}`);
    const [none, one, all] = [await ask('0'), await ask('4'), await ask('100')];

    // A score of 4 permits one feature: `west` has two, `east` has one.
    expect([none, one, all].map(({ text }) => [count(text, 'Placemark '), count(text, 'GroundOverlay>')])).toEqual([
      [0, 2],
      [1, 1],
      [3, 0],
    ]);
    const [image] = listHrefs(one.text);
    expect(one.text).toContain('<LatLonBox><north>10</north><south>0</south><east>10</east><west>0</west></LatLonBox>');
    expect(await colourAt(await follow(image), 4, 4)).toBe('#ff0000');
  });

  it('put the image of a map in another CRS on its place', async () => {
    const mercator = MAP.replace(
      'EPSG:4326&bbox=0,0,10,10',
      'EPSG:3857&bbox=0,0,1113194.9079327358,1118889.9748579594',
    );

    const { text } = await askMap(server, `${mercator}&layers=both&kmscore=0`);

    const [, north = '', east = ''] = /<LatLonBox><north>([^<]*)<.*?<east>([^<]*)</.exec(text) ?? [];
    expect([Math.round(Number(north) * 1e6), Math.round(Number(east) * 1e6)]).toEqual([1e7, 1e7]);
    const drawn = await follow(listHrefs(text)[0]);
    expect([await colourAt(drawn, 4, 4), await colourAt(drawn, 15, 15)]).toEqual(['#ff0000', '#0000ff']);
  });

  it('put images and the legend into an archive', async () => {
    const packed = await askMap(server, `${MAP.replace('=kml', '=kmz')}&layers=topo:west&kmscore=0&legend=true`);
    const { unpack, read } = await trial(packed.bytes);
    await unpack();

    expect(listHrefs(await read('doc.kml'))).toEqual(['images/1.png', 'legend.png']);
    expect((await read('images/1.png')).slice(1, 4)).toBe('PNG');
    expect((await read('legend.png')).slice(1, 4)).toBe('PNG');
  });

  it('limit the pixels of all images of an archive', async () => {
    const large = MAP.replace('=kml', '=kmz').replace('width=20&height=20', 'width=3000&height=3000');

    const { text } = await askMap(server, `${large}&layers=topo:west,topo:east&kmscore=0`);

    expect(text).toContain('3000 by 6000');
  });

  it('select the title, the descriptions, the attributes and the points of placemarks', async () => {
    const ask = async (query: string) =>
      (await askMap(server, `${MAP}&layers=topo:west&featureId=west.1${query}`)).text;
    const table =
      '<description>&lt;table&gt;&lt;tr&gt;&lt;th&gt;kind&lt;/th&gt;&lt;td&gt;low&lt;/td&gt;&lt;/tr&gt;&lt;tr&gt;&lt;th&gt;rank&lt;/th&gt;&lt;td&gt;1&lt;/td&gt;&lt;/tr&gt;&lt;/table&gt;</description>';
    const [all, none, data, html, pins] = [
      await ask('&kmltitle=A%26B'),
      await ask('&format_options=kmattr:false'),
      await ask('&kmattr=false&extendedData=true'),
      await ask('&extendedData=false'),
      await ask('&kmplacemark=true'),
    ];

    expect(all).toContain('<Document><name>A&amp;B</name>');
    expect([all, none, data, html].map((text) => [text.includes(table), text.includes('<ExtendedData>')])).toEqual([
      [true, true],
      [false, false],
      [false, true],
      [true, false],
    ]);
    expect(pins).toContain('<IconStyle><scale>1</scale></IconStyle>');
    expect(pins).toContain('<MultiGeometry><Point><coordinates>2.5,2.5</coordinates></Point><Polygon>');
    expect(all).not.toContain('<Point>');
  });
});

describe('placemarks', () => {
  it('are omitted for features that no rule of the style draws', async () => {
    const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>topo:west</Name><UserStyle><FeatureTypeStyle>
      <Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>rank</ogc:PropertyName><ogc:Literal>%s</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule>
      </FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const ask = (rank: string) =>
      askMap(server, `${MAP}&layers=topo:west&sld_body=${encodeURIComponent(sld.replace('%s', rank))}`);

    const [all, one, none] = [await askMap(server, `${MAP}&layers=topo:west`), await ask('1'), await ask('99')];

    expect(count(all.text, 'Placemark')).toBe(2);
    expect([one, none].map(({ text }) => count(text, 'Placemark'))).toEqual([1, 0]);
  });
});

describe('KML of a layer with more than 10,000 features', () => {
  const sentence =
    "The layer 'crowd:many' has more than 10,000 features on the map, and this document contains only 10,000 of them. Request a smaller area, a filter, or an image with kmscore.";

  beforeAll(async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => [wkt(`POINT (${index / 2_000} 1)`)]);
    await publishTables(server, 'crowd', [{ name: 'many', attributes: [geometryColumn('Point')], rows }]);
  });

  const ask = (more: string) => askMap(server, `${MAP}&layers=crowd:many&kmattr=false${more}`);

  it('says in a warning and in the document that placemarks are missing', async () => {
    const reply = await ask('');

    expect(count(reply.text, 'Placemark')).toBe(10_000);
    expect(reply.text).toContain(`<Folder><name>many</name><description>${sentence}</description>`);
    expect(reply.headers['warning']).toBe(`199 - "${sentence}"`);
  });

  it('has no warning with a filter, an image or a limit of the request', async () => {
    for (const [more, placemarks] of [
      ['&cql_filter=BBOX(the_geom, 0, 0, 4.9, 2)', 9_801],
      ['&maxFeatures=10000', 10_000],
      ['&kmscore=50', 0],
    ] as const) {
      const reply = await ask(more);

      expect([count(reply.text, 'Placemark'), reply.headers['warning']], more).toEqual([placemarks, undefined]);
      expect(reply.text).not.toContain('10,000');
    }
  });
});
