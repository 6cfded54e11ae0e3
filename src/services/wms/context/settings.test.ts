import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../../test/support/maps.ts';
import { putTiff } from '../../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { geotiffBytes } from '../../../../test/support/tiff-bytes.ts';

const server = useTestServer();

beforeAll(() => publishSquares(server));

afterEach(async () => {
  await set({
    enabled: true,
    title: null,
    keywords: null,
    srs: null,
    bboxForEachCRS: false,
    rootLayerTitle: null,
    getMapMimeTypeCheckingEnabled: false,
    getMapMimeTypes: null,
    getFeatureInfoMimeTypeCheckingEnabled: false,
    getFeatureInfoMimeTypes: null,
    maxRequestMemory: 0,
    interpolation: 'Nearest',
  });
});

async function set(wms: Readonly<Record<string, unknown>>): Promise<void> {
  const reply = await server.put('/services/wms/settings', JSON.stringify({ wms }));
  expect(reply.status, reply.text).toBe(200);
}

async function ask(query: string): Promise<string> {
  return (await askMap(server, query)).text;
}

const CAPABILITIES = 'service=WMS&request=GetCapabilities&version=1.3.0';

describe('WMS settings', () => {
  it('set the service metadata', async () => {
    await set({ title: 'Our <maps>', keywords: { string: ['roads'] }, rootLayerTitle: 'All of it' });
    await server.put('/settings/contact', '{"contact":{"contactOrganization":"Survey","addressCity":"Bern"}}');

    const text = await ask(CAPABILITIES);

    expect(text).toContain('<Title>Our &lt;maps&gt;</Title>');
    expect(text).toContain('<KeywordList><Keyword>roads</Keyword></KeywordList>');
    expect(text).toContain('<Title>All of it</Title>');
    expect(text).toContain('<ContactOrganization>Survey</ContactOrganization>');
    expect(text).toContain('<City>Bern</City>');
  });

  it('set the listed CRSs, and whether each layer has a box in each', async () => {
    await set({ srs: { string: ['2056', '3857'] }, bboxForEachCRS: true });

    const text = await ask(CAPABILITIES);

    expect(text).toContain('<CRS>EPSG:2056</CRS><CRS>EPSG:3857</CRS>');
    expect(text).toMatch(
      /<BoundingBox CRS="EPSG:3857" minx="0" miny="-?[\d.e-]+" maxx="556597\.45\d*" maxy="1118889\.97\d*"/,
    );
    // All other CRSs can still be requested.
    expect(await colourAt(await askMap(server, `${SMALL_MAP}&layers=topo:west`), 4, 4)).toBe('#ff0000');
  });

  it('restrict the formats', async () => {
    await set({
      getMapMimeTypeCheckingEnabled: true,
      getMapMimeTypes: { string: ['image/jpeg'] },
      getFeatureInfoMimeTypeCheckingEnabled: true,
      getFeatureInfoMimeTypes: { string: ['application/json'] },
    });
    const info = `${SMALL_MAP.replace('GetMap', 'GetFeatureInfo').replace('image/png', 'image/jpeg')}&layers=topo:west&query_layers=topo:west&x=1&y=1`;

    expect(await ask(`${SMALL_MAP}&layers=topo:west`)).toContain('code="InvalidFormat"');
    expect(await ask(`${info}&info_format=text/plain`)).toContain('code="InvalidFormat"');
    expect(await ask(`${info}&info_format=application/json`)).toContain('FeatureCollection');
    expect(await ask(CAPABILITIES)).toContain('<GetMap><Format>image/jpeg</Format><DCPType>');
  });

  it('limit the size of a map', async () => {
    await set({ maxRequestMemory: 1 });

    expect(await ask(`${SMALL_MAP}&layers=topo:west`)).toContain('exceeds the limit');
    expect(await ask(CAPABILITIES)).toContain('<MaxWidth>16</MaxWidth>');
  });

  it('set the interpolation of coverages, unless the client does', async () => {
    const black = (index: number) => (index % 2 === 0 ? 0 : 200);
    await putTiff(server, '/workspaces/topo/coveragestores/steps/file.geotiff', geotiffBytes(2, 2, black));
    const coverage = await server.get('/workspaces/topo/coveragestores/steps/coverages/steps.json');
    const { minx, miny, maxx, maxy } = (
      coverage.json() as {
        readonly coverage: { readonly nativeBoundingBox: Readonly<Record<'minx' | 'miny' | 'maxx' | 'maxy', number>> };
      }
    ).coverage.nativeBoundingBox;
    const map = `service=WMS&version=1.1.1&request=GetMap&layers=topo:steps&styles=&format=image/png&srs=EPSG:32633&bbox=${minx},${miny},${maxx},${maxy}&width=20&height=20`;
    /** Right of the centre: the bright sample alone, or half of both and a twentieth of their difference. */
    const shade = async (more = '') => colourAt(await askMap(server, `${map}${more}`), 10, 10);

    expect(await shade()).toBe('#c8c8c8');
    await set({ interpolation: 'Bilinear' });
    expect(await shade()).toBe('#6e6e6e');
    expect(await shade('&interpolations=nearest neighbor')).toBe('#c8c8c8');
    await set({ interpolation: 'Bicubic' });
    const bicubic = await shade();
    expect(['#6e6e6e', '#c8c8c8', '#ffffff']).not.toContain(bicubic);
    expect(await shade('&interpolations=bicubic')).toBe(bicubic);
  });

  it('disable the service', async () => {
    await set({ enabled: false });

    expect(await ask(CAPABILITIES)).toContain('services are disabled');
  });
});
