import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { askMap, colourAt, publishSquares } from '../../../../test/support/maps.ts';
import type { Reply } from '../../../../test/support/test-server.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';

const server = useTestServer();

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="#00ff00"/></svg>';
const MAP =
  'service=WMS&version=1.1.1&request=GetMap&layers=topo:west,topo:east&styles=&srs=EPSG:4326&bbox=0,0,10,10&width=200&height=200';
const ANIMATION = `//geoserver/wms/animate?${MAP.replace(',topo:east', '')}&aparam=bgcolor&avalues=0x0000ff,0x0000f0`;

/** Returns the colour of one pixel in each of the two frames. */
async function listFrameColours(reply: Reply, x: number, y: number) {
  const frames = await Promise.all([0, 1].map((page) => sharp(reply.bytes, { page }).png().toBuffer()));
  return Promise.all(frames.map((bytes) => colourAt({ ...reply, bytes }, x, y)));
}

function putLayout(name: string, decorations: string) {
  const body = `<layout>${decorations}</layout>`;
  return server.request('PUT', `/resource/layouts/${name}.xml`, { type: 'application/xml', body });
}

beforeAll(async () => {
  await publishSquares(server);
  await server.request('PUT', '/resource/layouts/logo.svg', { type: 'image/svg+xml', body: svg });
  await putLayout(
    'print',
    `<decoration type="image" affinity="top,left" offset="5,5"><option name="url" value="logo.svg"/></decoration>
<decoration type="text" affinity="bottom,left" offset="5,5"><option name="message" value="Printed by \${Who!'a test'}"/></decoration>`,
  );
});

describe('map with a layout', () => {
  it.each(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/png8'])(
    'has decorations as %s',
    async (format) => {
      const decorated = await askMap(server, `${MAP}&format=${format}&format_options=layout:print`);

      const [red = 255, green = 0] =
        (await colourAt(decorated, 10, 10)).match(/[0-9a-f]{2}/g)?.map((each) => Number.parseInt(each, 16)) ?? [];
      expect(red).toBeLessThan(40);
      expect(green).toBeGreaterThan(215);
    },
  );

  it('has decorations in each frame of an animation', async () => {
    const query = `${ANIMATION}&format_options=layout:print`;

    expect(await listFrameColours(await server.get(query, { as: null }), 10, 10)).toEqual(['#00ff00', '#00ff00']);
    expect((await server.get(query.replace('print', 'other'), { as: null })).text).toContain("Unknown layout 'other'.");
  });

  it('has decorations as text and shapes in SVG and PDF', async () => {
    const svgMap = await askMap(server, `${MAP}&format=image/svg%2Bxml&format_options=layout:print&env=who:Anna`);
    const pdf = await askMap(server, `${MAP}&format=application/pdf&format_options=layout:print`);

    expect(svgMap.text).toContain('>Printed by Anna</text>');
    expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    expect(pdf.bytes.length).toBeGreaterThan((await askMap(server, `${MAP}&format=application/pdf`)).bytes.length);
  });

  it('warns of values that are missing', async () => {
    await putLayout(
      'bare',
      '<decoration type="text"><option name="message" value="${who}"/></decoration><decoration type="image"><option name="url" value="none.png"/></decoration><decoration type="image"><option name="url" value="text.png"/></decoration>',
    );
    await server.request('PUT', '/resource/layouts/text.png', { type: 'image/png', body: 'not a picture' });

    const reply = await askMap(server, `${MAP}&format=image/png&format_options=layout:bare`);

    expect(reply.headers['content-type']).toBe('image/png');
    expect(String(reply.headers['warning'])).toContain("The layout uses 'who', which has no value.");
    expect(String(reply.headers['warning'])).toContain("The picture 'none.png' is missing or not allowed");
    expect(String(reply.headers['warning'])).toContain("The picture 'text.png'");
  });

  it('is rejected for an unknown layout, with the available ones', async () => {
    const reply = await askMap(server, `${MAP}&format=image/png&format_options=layout:other`);

    expect(reply.text).toContain('code="InvalidParameterValue" locator="format_options"');
    expect(reply.text).toContain("Unknown layout 'other'. Available layouts: bare, print.");
  });

  it('does not read files outside of the folders of layouts and styles', async () => {
    const urls = ['../settings.xml', '/etc/hostname', 'file:///etc/hostname', 'http://127.0.0.1:9/a.png'];
    await putLayout(
      'hostile',
      urls.map((url) => `<decoration type="image"><option name="url" value="${url}"/></decoration>`).join(''),
    );

    const reply = await askMap(server, `${MAP}&format=image/png&format_options=layout:hostile`);

    expect(reply.bytes).toEqual((await askMap(server, `${MAP}&format=image/png`)).bytes);
  });

  it('has a legend of the requested layers only, which the user may see', async () => {
    await putLayout(
      'legend',
      '<decoration type="legend" affinity="top,left"><option name="layers" value="topo:east"/></decoration>',
    );
    await putLayout('all', '<decoration type="legend" affinity="top,left"/>');
    const ann = await addUser(server, 'ann', 'ROLE_ANN');
    await server.post('/security/acl/layers', '{"topo.east.r":"ROLE_ANN"}');

    const east = await askMap(server, `${MAP}&format=image/png&format_options=layout:legend`, ann);
    const west = await askMap(server, `${MAP.replace(',topo:east', '')}&format=image/png&format_options=layout:all`);
    const hidden = await askMap(server, `${MAP}&format=image/png&format_options=layout:all`);
    await server.delete('/security/acl/layers/topo.east.r');

    // The title, then the sample.
    expect(await colourAt(east, 16, 30)).toBe('#0000ff');
    expect(await colourAt(west, 16, 30)).toBe('#ff0000');
    expect(hidden.text).toContain('LayerNotDefined');
  });

  it('is not applied to tiles', async () => {
    const tile =
      'service=WMTS&request=GetTile&version=1.0.0&layer=topo:west&style=&tilematrixset=EPSG:4326&tilematrix=EPSG:4326:0&tilerow=0&tilecol=1&format=image/png';
    const plain = await server.get(`//geoserver/gwc/service/wmts?${tile}`, { as: null });
    const asked = await server.get(`//geoserver/gwc/service/wmts?${tile}&format_options=layout:print`, { as: null });

    expect(plain.headers['content-type']).toBe('image/png');
    expect(asked.bytes).toEqual(plain.bytes);
  });
});

describe('watermark of the WMS settings', () => {
  it('is drawn on every map if it is enabled, at its position and with its opacity', async () => {
    const set = await server.put(
      '/services/wms/settings',
      '{"wms":{"watermark":{"enabled":true,"position":"TOP_RIGHT","transparency":50,"url":"logo.svg"}}}',
    );
    const reply = await askMap(server, `${MAP}&format=image/png`);
    const animation = await server.get(ANIMATION, { as: null });
    await server.put('/services/wms/settings', '{"wms":{"watermark":{"enabled":false}}}');

    expect([set.status, set.headers['warning']]).toEqual([200, undefined]);
    for (const colour of [await colourAt(reply, 195, 5), ...(await listFrameColours(animation, 195, 5))]) {
      expect(colour).toMatch(/^#00[78][0-9a-f][78][0-9a-f]$/);
    }
    expect(await colourAt(await askMap(server, `${MAP}&format=image/png`), 195, 5)).toBe('#0000ff');
  });
});
