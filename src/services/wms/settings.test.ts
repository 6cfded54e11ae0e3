import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, publishSquares, SMALL_MAP } from '../../../test/support/maps.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

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

describe('the settings of the WMS', () => {
  it('say who serves, and what', async () => {
    await set({ title: 'Our <maps>', keywords: { string: ['roads'] }, rootLayerTitle: 'All of it' });
    await server.put('/settings/contact', '{"contact":{"contactOrganization":"Survey","addressCity":"Bern"}}');

    const text = await ask(CAPABILITIES);

    expect(text).toContain('<Title>Our &lt;maps&gt;</Title>');
    expect(text).toContain('<KeywordList><Keyword>roads</Keyword></KeywordList>');
    expect(text).toContain('<Title>All of it</Title>');
    expect(text).toContain('<ContactOrganization>Survey</ContactOrganization>');
    expect(text).toContain('<City>Bern</City>');
  });

  it('say which systems are listed, and whether each layer has a box in each', async () => {
    await set({ srs: { string: ['2056', '3857'] }, bboxForEachCRS: true });

    const text = await ask(CAPABILITIES);

    expect(text).toContain('<CRS>EPSG:2056</CRS><CRS>EPSG:3857</CRS>');
    expect(text).toMatch(
      /<BoundingBox CRS="EPSG:3857" minx="0" miny="-?[\d.e-]+" maxx="556597\.45\d*" maxy="1118889\.97\d*"/,
    );
    // Any other can still be asked for.
    expect(await colourAt(await askMap(server, `${SMALL_MAP}&layers=topo:west`), 4, 4)).toBe('#ff0000');
  });

  it('offer some formats only', async () => {
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

    expect(await ask(`${SMALL_MAP}&layers=topo:west`)).toContain('is too large');
    expect(await ask(CAPABILITIES)).toContain('<MaxWidth>16</MaxWidth>');
  });

  it('switch it off', async () => {
    await set({ enabled: false });

    expect(await ask(CAPABILITIES)).toContain('the service is switched off');
  });
});
