import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { groupOf } from '../../../../test/support/layer-groups.ts';
import { askMap, colourAt, publishSquares, SMALL_MAP, setFill } from '../../../../test/support/maps.ts';
import { publishTables } from '../../../../test/support/published-features.ts';
import type { Reply } from '../../../../test/support/test-server.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();

beforeAll(async () => {
  await publishSquares(server);
  await server.post('/layergroups', groupOf('both', ['topo:west', 'topo:east']));
  const places = ['0 0, 4 0, 4 10, 0 10, 0 0', '0 0, 6 0, 6 10, 0 10, 0 0', '0 0, 10 0, 10 10, 0 10, 0 0'];
  await publishTables(server, 'over', [
    {
      name: 'steps',
      attributes: [geometryColumn('Polygon'), column('rank', 'integer')],
      rows: places.map((ring, index) => [wkt(`POLYGON ((${ring}))`), index]),
    },
  ]);
  await setFill(server, 'over', 'steps', 'green', '#00ff00');
});

const [RED, BLUE, WHITE, GREEN] = ['#ff0000', '#0000ff', '#ffffff', '#00ff00'];

/** At the centre of the left half and of the right half. */
async function sides(query: string, map = SMALL_MAP): Promise<readonly string[]> {
  const reply = await askMap(server, `${map}&${query}`);
  return [await colourAt(reply, 4, 10), await colourAt(reply, 15, 10)];
}

function warnings({ headers }: Reply): readonly string[] {
  return [headers['warning'] ?? []].flat().map((each) => String(each));
}

describe('map in an AUTO CRS', () => {
  const utm = (version: string, parameter: string) =>
    SMALL_MAP.replace('1.1.1', version).replace(
      'srs=EPSG:4326&bbox=0,0,10,10',
      `${parameter}&bbox=-57000,0,1057000,1106000`,
    );

  it.each([
    ['1.1.1', 'srs=AUTO:42002,5,5'],
    ['1.1.1', 'srs=AUTO:42002,9001,5,5'],
    ['1.3.0', 'crs=AUTO2:42002,1,5,5'],
  ])('is drawn in WMS %s with %s', async (version, parameter) => {
    expect(await sides('layers=both', utm(version, parameter))).toEqual([RED, BLUE]);
  });

  it('is drawn in the orthographic projection', async () => {
    const globe = SMALL_MAP.replace(
      'srs=EPSG:4326&bbox=0,0,10,10',
      'srs=AUTO:42003,5,5&bbox=-560000,-560000,560000,560000',
    );

    expect(await sides('layers=both', globe)).toEqual([RED, BLUE]);
    expect(await sides('layers=both', globe.replaceAll('560000', '9000000'))).toEqual([WHITE, WHITE]);
  });

  it('returns feature information', async () => {
    const query = utm('1.1.1', 'srs=AUTO:42002,5,5').replace('GetMap', 'GetFeatureInfo');

    const reply = await askMap(server, `${query}&layers=both&query_layers=both&x=15&y=10&info_format=application/json`);

    expect(JSON.parse(reply.text).features).toMatchObject([{ properties: { kind: 'whole' } }]);
  });

  it('is rejected for an invalid centre', async () => {
    const reply = await askMap(server, `${utm('1.1.1', 'srs=AUTO:42002,500,5')}&layers=both`);

    expect(reply.text).toContain('code="InvalidSRS"');
  });
});

describe('clipped map', () => {
  it('shows nothing outside the area', async () => {
    expect(await sides('layers=both&clip=POLYGON((0 0,3 0,3 10,0 10,0 0))')).toEqual([RED, WHITE]);
    expect(await sides('layers=both&bgcolor=0x00FF00&clip=POLYGON((6 0,6 10,10 10,10 0,6 0))')).toEqual([GREEN, BLUE]);
    expect(await sides('layers=both&transparent=true&clip=POLYGON((6 0,6 10,10 10,10 0,6 0))')).toEqual([
      '#00000000',
      BLUE,
    ]);
  });

  it('supports holes, several parts and another CRS', async () => {
    const withHole = 'POLYGON((0 0,10 0,10 10,0 10,0 0),(1 4,3 4,3 6,1 6,1 4))';
    expect(await sides(`layers=both&clip=${withHole}`)).toEqual([WHITE, BLUE]);
    expect(await sides('layers=both&clip=MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((6 0,6 10,10 10,10 0,6 0)))')).toEqual([
      WHITE,
      BLUE,
    ]);
    const metres = 'SRID=3857;POLYGON((0 0,334000 0,334000 1100000,0 1100000,0 0))';
    expect(await sides(`layers=both&clip=${encodeURIComponent(metres)}`)).toEqual([RED, WHITE]);
  });

  it('returns no features outside the area', async () => {
    const query = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=both&query_layers=both&y=10&info_format=application/json&clip=POLYGON((0 0,3 0,3 10,0 10,0 0))`;

    expect(JSON.parse((await askMap(server, `${query}&x=4`)).text).features).toHaveLength(1);
    expect(JSON.parse((await askMap(server, `${query}&x=15`)).text).features).toHaveLength(0);
  });

  it.each(['POINT(1 1)', 'nonsense', 'POLYGON((0 0', 'SRID=1;POLYGON((0 0,1 0,1 1,0 0))'])(
    'requires a polygon: %s',
    async (clip) => {
      expect((await askMap(server, `${SMALL_MAP}&layers=both&clip=${clip}`)).text).toContain('locator="clip"');
    },
  );
});

describe('limited features', () => {
  it('are drawn in the requested order', async () => {
    expect(await sides('layers=over:steps&sortBy=rank&maxFeatures=1')).toEqual([GREEN, WHITE]);
    expect(await sides('layers=over:steps&sortBy=rank D&maxFeatures=1')).toEqual([GREEN, GREEN]);
    expect(await sides('layers=over:steps&sortBy=rank&maxFeatures=1&startIndex=2')).toEqual([GREEN, GREEN]);
    expect(await sides('layers=over:steps&sortBy=rank&startIndex=3')).toEqual([WHITE, WHITE]);
  });
});

describe('palette', () => {
  it('restricts the colours of a paletted image', async () => {
    const map = SMALL_MAP.replace('image/png', 'image/png8');

    expect(
      await colourAt(await askMap(server, `${map}&layers=topo:west&bgcolor=0x1A2030&palette=safe`), 15, 10),
    ).toMatch(/^#3[23]3[23]3[23]$/);
    expect((await askMap(server, `${map}&layers=topo:west&palette=nothing`)).text).toContain('locator="palette"');
  });

  it('returns a warning for other formats', async () => {
    expect(warnings(await askMap(server, `${SMALL_MAP}&layers=topo:west&palette=safe`))[0]).toContain('is ignored');
  });
});

describe('scale', () => {
  it('is measured on the ground on request', async () => {
    // At 60 degrees north a degree is half as wide as at the equator.
    const rule = '<MaxScaleDenominator>150000000</MaxScaleDenominator>';
    const sld = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>over:steps</Name><UserStyle><FeatureTypeStyle><Rule>${rule}<PolygonSymbolizer><Fill><CssParameter name="fill">#0000ff</CssParameter></Fill></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
    const map = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=0,0,10,120');
    const ask = async (more: string) =>
      colourAt(await askMap(server, `${map}&layers=over:steps&sld_body=${encodeURIComponent(sld)}${more}`), 4, 19);

    expect([await ask(''), await ask('&scaleMethod=OGC'), await ask('&scaleMethod=Accurate')]).toEqual([
      WHITE,
      WHITE,
      BLUE,
    ]);
    expect((await askMap(server, `${map}&layers=over:steps&scaleMethod=guessed`)).text).toContain(
      'locator="scaleMethod"',
    );
  });
});

describe('parameter without an effect', () => {
  it.each([
    ['unheard=1', "Unknown parameter 'unheard'. It is ignored."],
    ['format_options=sparkle:on', "Unknown format option 'sparkle'. It is ignored."],
    [
      'format_options=exactStrokes:maybe',
      "Invalid value 'maybe' of the format option 'exactStrokes': expected true or false. It counts as false.",
    ],
    [
      'transparent=maybe',
      "Invalid value 'maybe' of the parameter 'transparent': expected TRUE or FALSE. The map is not transparent.",
    ],
  ])('returns a warning: %s', async (query, sentence) => {
    const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west&${query}`);

    expect(await colourAt(reply, 4, 10)).toBe(RED);
    expect(warnings(reply)).toEqual([`199 - "${sentence}"`]);
  });

  it('returns no warning for common client parameters', async () => {
    const query =
      'layers=both&DPI=96&MAP_RESOLUTION=96&FORMAT_OPTIONS=dpi:96&TILED=true&TILESORIGIN=0,0&exceptions=XML&dim_depth=3';

    expect(warnings(await askMap(server, `${SMALL_MAP}&${query}`))).toEqual([]);
  });

  it('is rejected if it would change the map', async () => {
    const remote = await askMap(
      server,
      `${SMALL_MAP}&layers=both&remote_ows_type=WFS&remote_ows_url=http://127.0.0.1/wfs`,
    );
    const dpi = await askMap(server, `${SMALL_MAP}&layers=both&format_options=dpi:0`);

    expect(remote.text).toContain('locator="remote_ows_type"');
    expect(dpi.text).toContain('locator="dpi"');
  });

  it('is rejected for an unknown interpolation', async () => {
    expect((await askMap(server, `${SMALL_MAP}&layers=both&interpolations=guessing`)).text).toContain(
      'locator="interpolations"',
    );
    expect(
      (await askMap(server, `${SMALL_MAP}&layers=both&interpolations=nearest neighbor,bilinear,bicubic`)).text,
    ).toContain('locator="interpolations"');
  });
});

describe('unusual box', () => {
  it.each([
    ['EPSG:4326', '-1e300,-1e300,1e300,1e300'],
    ['EPSG:4326', '0,0,1e-300,1e-300'],
    ['EPSG:4326', '1e17,0,1.0000000000000002e17,1'],
    ['EPSG:4326', '-5000,-10,5000,10'],
    ['EPSG:3857', '-1e12,-1e12,1e12,1e12'],
    ['EPSG:3857', '1e300,1e300,1.1e300,1.1e300'],
    ['EPSG:3031', '-1e9,-1e9,1e9,1e9'],
    ['EPSG:2056', '-1e8,-1e8,1e8,1e8'],
    ['EPSG:32632', '1e7,1e7,2e7,2e7'],
    ['AUTO:42003,5,5', '-1e300,-1e300,1e300,1e300'],
  ])('returns a map or an error, but never fails: %s %s', async (srs, bbox) => {
    const map = SMALL_MAP.replace('EPSG:4326&bbox=0,0,10,10', `${srs}&bbox=${bbox}`);

    const reply = await askMap(server, `${map}&layers=both`);

    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
  });

  it('shows the area beyond the antimeridian', async () => {
    const map = SMALL_MAP.replace('bbox=0,0,10,10', 'bbox=355,0,367,10');

    // From 355 to 360 there is nothing; the squares begin at 360.
    expect(await sides('layers=both', map)).toEqual([WHITE, RED]);
  });
});
