/** The feature pages in a real browser: a table with paging, and a map that the script of the server draws. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, PHONE_PIXELS, startBrowser } from '../support/browser.ts';
import { towns } from '../support/features.ts';
import { ADMIN_PASSWORD, useTestServer } from '../support/test-server.ts';
import { tools } from '../support/tools.ts';
import { pointShapefile, polygonShapefile, putZip, zipOf } from '../support/vector-samples.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** A polygon around the Earth, from the South Pole to 80° N. */
const earth = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Earth' },
      geometry: {
        type: 'Polygon',
        coordinates: [[-180, -90, 180, -90, 180, 80, -180, 80, -180, -90]].map((numbers) =>
          Array.from({ length: 5 }, (_, index) => numbers.slice(2 * index, 2 * index + 2)),
        ),
      },
    },
  ],
});

/** The southern limit of Web Mercator, and 80° N. */
const SOUTH_METRES = -20_037_508;
const NORTH_METRES = 15_538_711;

describeWithTool('chromium', 'pages of features in a browser', () => {
  let browser: Browser;
  const server = useTestServer();
  let root = '';

  beforeAll(async () => {
    browser = await startBrowser(tools.chromium.find() ?? '', `admin:${ADMIN_PASSWORD}`);
    const { app } = server.server;
    await app.listen({ host: '127.0.0.1', port: 0 });
    root = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/geoserver/ogc/features/v1`;
    await server.post('/workspaces', '{"workspace":{"name":"acme"}}');
    const body = zipOf({ places: pointShapefile(25), towns, blocks: polygonShapefile() });
    await putZip(server, '/workspaces/acme/datastores/shapes/file.shp?configure=all', body);
    const title = '<img src=x onerror=alert(1)>Places';
    await server.put(
      '/workspaces/acme/datastores/shapes/featuretypes/places',
      JSON.stringify({ featureType: { title } }),
    );
    await server.put('/workspaces/acme/datastores/world/file.geojson?target=gpkg', earth, {
      type: 'application/geo+json',
    });
  }, 120_000);
  afterAll(() => browser?.close());

  const drawn = (count: number) => `document.getElementById('map')?.dataset.drawn === '${count}'`;

  it('the landing page leads to the features', async () => {
    const landing = await browser.visit(`${root}?f=html`);
    const features = landing.links.find(({ text, href }) => text === 'features' && href.includes('towns'));

    expect(landing.complaints).toEqual([]);
    expect(features).toBeDefined();
    expect((await browser.visit(features?.href ?? '', { until: drawn(3) })).text).toContain('東京');
  });

  it('a page shows a table and a map, and loads nothing from other hosts', async () => {
    const page = await browser.visit(`${root}/collections/acme:places/items?f=html`, { until: drawn(10) });

    expect(page.complaints).toEqual([]);
    expect(page.title).toBe('<img src=x onerror=alert(1)>Places · Graticule');
    expect(page.text).toContain('10 of 25 features');
    expect(page.text).toContain('place 9');
  });

  it('links lead to the next and the previous page', async () => {
    const first = await browser.visit(`${root}/collections/acme:places/items?f=html`);
    const next = first.links.find(({ text }) => text.startsWith('Next page'))?.href ?? '';
    const second = await browser.visit(next, { until: drawn(10) });

    expect(second.text).toContain('place 10');
    expect(second.links.some(({ text }) => text.includes('Previous page'))).toBe(true);
  });

  it('a single feature and a collection have a page', async () => {
    const feature = await browser.visit(`${root}/collections/acme:blocks/items/blocks.1?f=html`, { until: drawn(1) });
    const collection = await browser.visit(`${root}/collections/acme:blocks?f=html`, { until: drawn(1) });

    expect([feature.complaints, collection.complaints]).toEqual([[], []]);
    expect(collection.text).toContain('http://www.opengis.net/def/crs/OGC/1.3/CRS84');
  });

  it('the maps of a world layer show its whole extent up to the limits of Web Mercator', async () => {
    const isPainted = (y: string) =>
      `canvas.getContext('2d').getImageData(canvas.width / 2 + 20, ${y}, 1, 1).data[3] > 0`;
    const isComplete = `((canvas) => canvas && !(${isPainted('4')}) && ${isPainted('canvas.height / 2 + 8')})(document.querySelector('#map canvas'))`;
    for (const path of ['', '/items']) {
      await browser.visit(`${root}/collections/acme:world${path}?f=html`, { until: `${drawn(1)} && ${isComplete}` });
    }
    const isRequested = `performance.getEntriesByType('resource').some(({ name }) => {
      const [, south, , north] = (new URL(name).searchParams.get('BBOX') ?? '').split(',').map(Number);
      return south <= ${SOUTH_METRES} && north >= ${NORTH_METRES};
    })`;
    const preview = await browser.visit(root.replace('ogc/features/v1', 'preview?layer=acme:world'), {
      until: `document.getElementById('map')?.dataset.drawn === 'yes' && ${isRequested}`,
    });

    expect(preview.complaints).toEqual([]);
  });

  it('the pages fit on a phone screen', async () => {
    for (const path of [
      '?f=html',
      '/collections/acme:towns/items?f=html',
      '/collections/acme:towns?f=html',
      '/api?f=html',
    ]) {
      const page = await browser.visit(`${root}${path}`, { widthPixels: PHONE_PIXELS });

      expect(page.overhangPixels, path).toBe(0);
    }
  });
});
