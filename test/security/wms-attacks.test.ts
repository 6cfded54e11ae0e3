/** Attacks on WMS: unbounded maps, styles that fetch or explode, injected names. */
import { beforeAll, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { askMap, fillSld, publishSquares, SMALL_MAP } from '../support/maps.ts';
import { publishTables } from '../support/published-features.ts';
import { useTestServer } from '../support/test-server.ts';
import { useTrap } from '../support/trap.ts';

const server = useTestServer();
const trap = useTrap();

const SCRIPT = '<script>alert(1)</script>';

beforeAll(async () => {
  await publishSquares(server);
  await publishTables(server, 'evil', [
    {
      name: 'words',
      attributes: [geometryColumn('Polygon'), column('word', 'string')],
      rows: [[wkt('POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))'), SCRIPT]],
    },
  ]);
});

const body = (sld: string) => `sld_body=${encodeURIComponent(sld)}`;

describe('excessive map requests', () => {
  it.each([
    ['width=20', 'width=1000000000'],
    ['width=20&height=20', 'width=1&height=99999999'],
    ['width=20&height=20', 'width=20000&height=20000'],
  ])('rejects an excessive map immediately: %s -> %s', async (from, to) => {
    const reply = await askMap(server, `${SMALL_MAP.replace(from, to)}&layers=topo:west`);

    expect(reply.text).toContain('ServiceException');
  });

  it.each([
    'bbox=-1e300,-1e300,1e300,1e300',
    'bbox=0,0,1e-300,1e-300',
    'bbox=1e15,1e15,2e15,2e15',
    'srs=EPSG:3857&bbox=-1e9,-1e9,1e9,1e9',
    'srs=EPSG:2056&bbox=-1e9,-1e9,1e9,1e9',
    'buffer=999999999',
    'angle=1e300',
    'maxFeatures=0',
    'env=a:b;c;;d\\:e',
    'viewparams=a:b;c',
    'tilesOrigin=nothing&tiled=true',
  ])('draws a map with unusual boxes and options: %s', async (more) => {
    const names = new URLSearchParams(more);
    const rest = SMALL_MAP.split('&').filter((pair) => !names.has(pair.split('=')[0] ?? ''));

    const reply = await askMap(server, `${rest.join('&')}&layers=topo:west&${more}`);

    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/png']);
  });
});

describe('impossible map options', () => {
  it.each(['format_options=dpi:1e300', 'format_options=dpi:-5', 'palette=nothing', 'interpolations=x', 'clip=y'])(
    'rejects an impossible option with a message: %s',
    async (more) => {
      const reply = await askMap(server, `${SMALL_MAP}&layers=topo:west&${more}`);

      expect(reply.text).toMatch(/<ServiceException[^>]*>[^<]*expected /);
    },
  );
});

describe('styles in requests', () => {
  it('rejects a style with a DTD', async () => {
    const reply = await askMap(
      server,
      `${SMALL_MAP}&${body(`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${fillSld('#00ff00', { layer: '&e;' })}`)}`,
    );

    expect(reply.text).toContain('DOCTYPE');
    expect(reply.text).not.toContain('root:');
  });

  it('fetches nothing for a style without a matching URL check', async () => {
    const graphic = `<Rule><PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${trap.url}/a.png"/><Format>image/png</Format></ExternalGraphic></Graphic></PointSymbolizer></Rule>`;
    const sld = fillSld('#00ff00', { layer: 'topo:west' }).replace(
      '<FeatureTypeStyle>',
      `<FeatureTypeStyle>${graphic}`,
    );

    await askMap(server, `${SMALL_MAP}&${body(sld)}`);
    await askMap(server, `${SMALL_MAP}&layers=topo:west&sld=${encodeURIComponent(`${trap.url}/style.sld`)}`);
    await askMap(
      server,
      `service=WMS&request=GetLegendGraphic&format=image/png&layer=topo:west&sld=${encodeURIComponent(`${trap.url}/style.sld`)}`,
    );

    expect(trap.caught).toEqual([]);
  });

  it('rejects a style that exceeds the length or depth limit', async () => {
    const deep = `${'<And>'.repeat(5_000)}${'</And>'.repeat(5_000)}`;
    const rule = `<ogc:Filter>${deep}</ogc:Filter>`;
    const form = (sld: string) =>
      server.post('//geoserver/wms', `${SMALL_MAP}&${body(sld)}`, {
        as: null,
        type: 'application/x-www-form-urlencoded',
      });

    expect((await form(fillSld('#00ff00', { layer: 'west', rule }))).text).toContain('ServiceException');
    expect((await form(`${fillSld('#00ff00')}<!--${'x'.repeat(1_100_000)}-->`)).text).toContain('ServiceException');
  });
});

describe('injected names', () => {
  it.each([
    "layers=topo:west&cql_filter=kind='a' OR 1=1;DROP TABLE x",
    'layers=topo:west&sortBy=exec(java.lang.Runtime)',
    "layers=topo:west'--",
    'layers=../../etc/passwd',
    'layers=topo:west&STYLES=../../etc/passwd',
    'layers=topo:west&featureId=west.1%27%20or%201=1',
  ])('finds no layer or style for an injected name: %s', async (query) => {
    const reply = await askMap(server, `${SMALL_MAP}&${query}`);

    expect(reply.status).toBe(200);
    expect(reply.text).not.toMatch(/root:|syntax error|at .*\.ts:/);
  });
});

describe('texts from data and requests', () => {
  const INFO = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo')}&layers=evil:words&query_layers=evil:words&x=4&y=4`;

  it('never serves a text as executable content', async () => {
    const info = await askMap(server, `${INFO}&info_format=text/html`);
    const page = await askMap(
      server,
      `${SMALL_MAP.replace('image/png', 'application/openlayers')}&layers=topo:west&env=${encodeURIComponent(`a:"${SCRIPT}`)}`,
    );
    const problem = await askMap(server, `${SMALL_MAP}&layers=${encodeURIComponent(SCRIPT)}`);

    for (const { text, headers } of [info, page, problem]) {
      expect(text).not.toContain(SCRIPT);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(info.text).toContain('&lt;script&gt;');
  });

  it('does not serve a text as a script that pages of other sites can load', async () => {
    const reply = await askMap(server, `${INFO}&info_format=text/javascript&format_options=callback:alert`);

    expect(reply.text).toContain('code="InvalidFormat"');
  });
});
