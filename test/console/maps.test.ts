/** Maps, edits, publishing options, granules and groups of the console in a browser. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkPages } from '../support/console-axe.ts';
import { desktop, findOverhang, phone, signIn, useConsoleBrowser } from '../support/console-browser.ts';
import { administrator, furnishConsoleServer, MARKUP, shown } from '../support/console-server.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishEditableTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import type { TestServer } from '../support/test-server.ts';
import { geotiffBytes } from '../support/tiff-bytes.ts';
import { describeWithTool } from '../support/with-tool.ts';

const places = 'w/survey/layers/places';
const granules = 'w/survey/stores/snow/granules';
const drawn = '.map-canvas[data-state=drawn]';
const save = "button:text-is('Save')";

describeWithTool('chromium', 'the maps of the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const browser = useConsoleBrowser(getRoot);
  const { openSignedIn } = browser;
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
    await furnishMaps(client.server);
  });

  const readNames = async () => {
    const reply = await client.server.get('//geoserver/ogc/features/v1/collections/survey:places/items?f=json');
    const { features } = reply.json() as { features: readonly { properties: { name: string; people: number } }[] };
    return features.map(({ properties: { name, people } }) => `${name} ${people}`).sort();
  };

  describe('the map of a layer', () => {
    it('filters the map and the table, and marks the column of an error', async () => {
      const { page, requests } = await openSignedIn(`${places}?time=all&table=on`);
      await page.waitForSelector('.view-table-row >> nth=2');
      await page.fill('.filter-box-input', 'people >> 2');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-error mark[data-column="9"]');

      await page.fill('.filter-box-input', 'people > 150');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-box-count:text-is("2 features")');
      await page.waitForSelector('.view-table-head >> text="2 features"');
      expect(await page.locator('.view-table-row').allTextContents()).toEqual(['places.2', 'places.3']);

      expect(requests.some((each) => /GET \/wms.*CQL_FILTER=people/i.test(each))).toBe(true);
      expect(requests.filter((each) => /GET \/wms.*CQL_FILTER=people.*%3E%3E/i.test(each))).toEqual([]);
    });

    it('links rows and features', async () => {
      const { page } = await openSignedIn(`${places}?time=all&table=on`);
      await page.waitForSelector(drawn);
      await page.hover('[data-id="places.2"]');
      await page.waitForSelector('[data-id="places.2"][data-chosen=true]');
      await page.click('[data-id="places.3"] button');
      // The feature is in the middle of the map now.
      await page.waitForURL(/at=[\d.]+%2F46\.2/);
      await page.mouse.move(0, 0);
      await clickMap(page, 0.5, 0.5);
      await page.waitForSelector('.place-feature >> text=places.3');

      expect(await page.getAttribute('[data-id="places.3"]', 'data-chosen')).toBe('true');
    });

    it('keeps layers, order and opacity in the address, and draws any projection', async () => {
      const { page, requests } = await openSignedIn(`${places}?time=all`);
      await page.waitForSelector(drawn);
      await page.click('.stack-head .menu-button');
      await page.fill('.menu-panel:popover-open input', shown.layer);
      await page.click(`.menu-panel:popover-open .menu-item:has-text("city:roads")`);
      await page.fill('input[type=range][aria-label="Opacity of city:roads"]', '40');
      await page.click('button[aria-label="Move city:roads down"]');
      await page.waitForURL((url) => url.searchParams.get('layers') === 'city:roads~40,survey:places');
      await page.click('.crs-button');
      await page.fill('.menu-panel:popover-open input', 'EPSG:2056');
      await page.click('.menu-panel:popover-open .menu-item >> text=EPSG:2056');
      await page.waitForURL((url) => url.searchParams.get('crs') === 'EPSG:2056');
      await page.reload();
      await page.waitForSelector(drawn);
      expect(requests.some((each) => /GET \/wms.*SRS=EPSG%3A2056/i.test(each))).toBe(true);

      expect(await page.locator('.stack .stack-name').allTextContents()).toEqual(['survey:places', 'city:roads']);
      expect(await page.textContent('.crs-button')).toBe('EPSG:2056');
      expect(await page.locator('.stack-state').allTextContents()).toEqual([
        expect.stringMatching(/ ms, .* KB/),
        expect.stringMatching(/ ms, .* KB/),
      ]);
    });

    it('shows what visitors see, without credentials', async () => {
      const { page } = await openSignedIn('w/forestry-secret/layers/stands?table=on');
      await page.waitForSelector('.view-table-row');
      const sent: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (/\/wms\?.*GetMap/i.test(request.url())) sent.push(request.headers()['authorization']);
      });
      await page.selectOption('.map-as select', 'anonymous');
      await page.waitForSelector('.map-failure');
      await page.waitForSelector('.view-table .notice-error');

      expect(new Set(sent)).toEqual(new Set([undefined]));
      expect(await page.locator('.map-actions >> text=Edit').count()).toBe(0);
    });

    it('shows a table without geometry as rows, without a map', async () => {
      const { page } = await openSignedIn('w/survey/layers/remarks');
      await page.waitForSelector('.data-table td >> text=dry');

      expect(await page.locator('.tabs a').allTextContents()).toEqual(['Data', 'Publish', 'Access', 'History']);
    });

    it('opens the editor with the key e, and moves to a point without losing sight of its surroundings', async () => {
      const { page } = await openSignedIn(`${places}?time=all&table=on&at=1%2F0%2F0`);
      await page.waitForSelector(drawn);
      await page.keyboard.press('e');
      await page.waitForSelector('.edit-panel');
      await page.click('[data-id="places.1"] button');

      await page.waitForURL((url) => url.searchParams.get('at')?.startsWith('6.00/') === true);
    });

    it('steps and plays through the times of the data', async () => {
      const { page, requests } = await openSignedIn(places);
      await page.waitForSelector('.time-slider');
      await page.focus('.time-slider input');
      await page.keyboard.press('Home');
      await page.waitForSelector('.time-slider-value:text-is("All times")');
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.time-slider-value:text-is("Jan 1, 2024")');
      await page.click('.time-slider button');
      await page.waitForSelector('.time-slider-value:text-is("Mar 1, 2024")');
      await page.click('.time-slider button[aria-label=Pause]');

      const times = requests
        .flatMap((each) => /GET \/wms.*[?&]TIME=([^&]*)/i.exec(each)?.[1] ?? [])
        .map(decodeURIComponent);
      expect(times).toEqual(expect.arrayContaining(['2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z']));
    });

    it('works by keyboard only', async () => {
      const { page } = await openSignedIn(`${places}?time=all`);
      await page.waitForSelector(drawn);
      await page.focus('.filter-box-input');
      await page.keyboard.type('people > 300');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-box-count:text-is("1 feature")');
      await tabTo(page, 'Table');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.view-table-head >> text="1 feature"');
      await page.focus('.view-table-scroll');
      await page.keyboard.press('Tab');
      await page.waitForSelector('[data-id="places.3"][data-chosen=true]');
      await page.keyboard.press('Enter');
      await page.waitForURL(/at=[\d.]+%2F46\.2/);
    });

    it('leaves the map its height at a width of 360 pixels, and opens panels over it', async () => {
      const { page } = await openSignedIn(`${places}?time=all`, { viewport: phone });
      await page.waitForSelector(drawn);
      expect((await page.locator('.map-canvas').boundingBox())?.height).toBeGreaterThan(380);
      expect(await page.locator('.map-side').isVisible()).toBe(false);
      await page.click('.map-action-layers button');
      await page.waitForSelector('.stack-item');
      await page.click('.map-actions >> text=Use');
      await page.waitForSelector('.use-panel');

      expect(await findOverhang(page)).toBe(0);
    });
  });

  describe('uses of a layer', () => {
    it('downloads the layer and prints the map with a layout', async () => {
      const { page } = await openSignedIn(`${places}?time=all&panel=use`);
      await page.waitForSelector(drawn);
      await page.selectOption('select[aria-label=Format]', 'GeoJSON');
      const file = await download(page, "button:text-is('Download')");
      expect((JSON.parse(file.text) as { features: unknown[] }).features).toHaveLength(3);
      expect(file.name).toBe('places.geojson');

      await page.click("button:text-is('Add one')");
      await page.waitForSelector('.print-form select >> nth=1');
      await page.fill('[name=print-title]', `Places: ${MARKUP}`);
      const print = await download(page, "button:text-is('Create the PDF')");
      expect(print.text.slice(0, 5)).toBe('%PDF-');
      expect(print.text).toContain('/MediaBox');
    });

    it('offers addresses that answer', async () => {
      const { page } = await openSignedIn(`${places}?panel=use`);
      await page.waitForSelector('.use-panel');
      const urls = await page.locator('.copy-line-text').allTextContents();
      const services = urls.filter((url) => url.startsWith('http') && !url.includes('/console/'));
      const statuses = await Promise.all(
        services.map(async (url) => {
          const { status } = await fetch(url.replace('{z}/{y}/{x}', '0/0/0'));
          return [new URL(url).pathname.replace('/geoserver/', ''), status];
        }),
      );

      expect(statuses.length).toBeGreaterThan(7);
      expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    });

    it('offers a page with OpenLayers that draws the layer', async () => {
      const { page, context } = await openSignedIn(`w/${shown.workspace}/layers/${shown.layer}?panel=use`);
      await page.waitForSelector('.use-panel');
      const snippet = await page.textContent('.copy-line-text[aria-label=OpenLayers]');
      const library = await readFile(createRequire(import.meta.url).resolve('ol/dist/ol.js'), 'utf8');
      const own = await context.newPage();
      await own.route('**/cdn.jsdelivr.net/**/*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: library }),
      );
      await own.route('**/cdn.jsdelivr.net/**/*.css', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
      await own.route('**/snippet.html', (route) => route.fulfill({ contentType: 'text/html', body: snippet ?? '' }));
      const answer = own.waitForResponse((reply) => reply.url().includes('/wms?'));
      await own.goto(new URL('../snippet.html', getRoot()).href);

      expect((await answer).headers()['content-type']).toBe('image/png');
    });

    it('offers pages with Leaflet and MapLibre, and a program for QGIS, whose requests succeed', async () => {
      const { page } = await openSignedIn(`w/${shown.workspace}/layers/${shown.layer}?panel=use`);
      await page.waitForSelector('.use-panel');
      const read = async (name: string) => {
        await page.click(`.use-target >> text=${name}`);
        return (await page.textContent(`.copy-line-text[aria-label=${name}]`)) ?? '';
      };
      const [leaflet, maplibre, qgis] = [await read('Leaflet'), await read('MapLibre'), await read('QGIS')];
      const [, wms = '', options = ''] = /tileLayer\.wms\((".*?"), (\{.*?\})\)/.exec(leaflet) ?? [];
      const [, tiles = ''] = /tiles: \[(".*?")\]/.exec(maplibre) ?? [];
      const [, source = ''] = /QgsVectorLayer\((".*?[^\\]"), /.exec(qgis) ?? [];
      const box = '0,0,4000000,4000000';
      const query = new URLSearchParams({
        ...(JSON.parse(options) as Record<string, string>),
        ...{ service: 'WMS', version: '1.1.1', request: 'GetMap', styles: '', srs: 'EPSG:3857' },
        ...{ width: '256', height: '256', bbox: box },
      });
      const url = /url='([^']*)'/.exec(JSON.parse(source) as string)?.[1] ?? '';
      const typename = /typename='([^']*)'/.exec(JSON.parse(source) as string)?.[1] ?? '';
      const replies = await Promise.all(
        [
          `${JSON.parse(wms)}?${query}`,
          (JSON.parse(tiles) as string).replace('{bbox-epsg-3857}', box),
          `${url}?service=WFS&version=2.0.0&request=GetFeature&typenames=${typename}&count=1`,
        ].map(async (target) => (await fetch(target)).headers.get('content-type')),
      );

      expect(replies).toEqual(['image/png', 'image/png', expect.stringContaining('gml')]);
      for (const text of [leaflet, maplibre]) expect(text.match(/<script/g)).toHaveLength(2);
    });
  });

  describe('edits', () => {
    it('draws, changes and deletes features in one transaction, and undoes it', async () => {
      const before = await readNames();
      const { page } = await openSignedIn(`${places}?time=all&table=on`);
      await page.waitForSelector(drawn);
      await page.hover('[data-id="places.1"]');
      await page.waitForSelector('[data-id="places.1"][data-chosen=true]');
      await page.click('.map-actions >> text=Edit');
      await page.click("button:text-is('Edit places.1')");
      await page.fill('.edit-form [name=name]', 'Berne');
      await page.click("button:text-is('Draw a point')");
      await clickMap(page, 0.7, 0.3);
      await page.waitForSelector('.edit-form [name=name][value=""], .edit-drafts li >> nth=1');
      await page.fill('.edit-form [name=name]', MARKUP);
      await page.fill('.edit-form [name=people]', '7');
      await page.hover('[data-id="places.2"]');
      await page.click("button:text-is('Edit places.2')");
      await expect.poll(() => page.inputValue('.edit-form [name=name]')).not.toBe(MARKUP);
      await page.click("button:text-is('Delete the feature')");
      await page.waitForSelector('.edit-foot >> text=3 unsaved changes');
      await page.click(save);
      await page.waitForSelector('.toast >> text=3 changes saved.');
      expect(await readNames()).toEqual([`${MARKUP} 7`, 'Berne 134', 'Genève 500'].sort());

      await page.click('.toast >> text=Undo');
      await page.waitForSelector('.toast >> text=The edits are undone.');
      expect(await readNames()).toEqual(before);
    });

    it('shows the error of a value below its field, and works by keyboard only', async () => {
      const { page } = await openSignedIn(`${places}?time=all&panel=edit`);
      await page.waitForSelector("button:text-is('Add at the center')");
      await page.focus("button:text-is('Add at the center')");
      await page.keyboard.press('Enter');
      await page.waitForSelector('.edit-form [name=people]');
      await page.focus('.edit-form [name=people]');
      await page.keyboard.type('1.5');
      await page.focus(save);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.edit-form .field-error');

      expect(await page.textContent('.edit-form .field-error')).toContain("'1.5' is an invalid value of 'people'");
      expect(await page.getAttribute('.edit-form [name=people]', 'aria-invalid')).toBe('true');
      expect(await readNames()).toHaveLength(3);
    });

    it('are not offered where the user may not write', async () => {
      const setLevel = (serviceLevel: string) =>
        client.server.put('/services/wfs/settings', JSON.stringify({ wfs: { serviceLevel } }));
      expect((await setLevel('BASIC')).status).toBe(200);
      const { page } = await browser.open(places);
      const checked = page.waitForResponse((reply) => reply.request().method() === 'OPTIONS');
      await signIn(page, administrator);
      const allowed = (await checked).headers()['allow'];
      await page.waitForSelector(drawn);
      const buttons = await page.locator('.map-actions button').allTextContents();
      // Open pages notice the change.
      await setLevel('COMPLETE');

      expect(allowed).toBe('GET, HEAD, OPTIONS');
      expect(buttons).toEqual(['Layers', 'Table', 'Use']);
    });
  });

  it('changes publishing options with a preview, keeps them while others change the layer, and undoes them', async () => {
    const path = '/workspaces/survey/datastores/data/featuretypes/places';
    const readType = async () =>
      ((await client.server.get(`${path}.json`)).json() as { featureType: Record<string, unknown> }).featureType;
    const { page } = await openSignedIn(`${places}?tab=publish`);
    await page.fill('[name=title]', 'Surveyed places');
    await page.fill('[name=srs]', 'EPSG:0');
    await page.click(save);
    await page.waitForSelector('[name=srs][aria-invalid=true], .publishing .notice-error');
    await page.fill('[name=srs]', 'EPSG:4326');
    await page.fill('[name=keywords]', 'one\ntwo');

    await client.server.put(path, JSON.stringify({ featureType: { abstract: MARKUP } }));
    await page.waitForSelector('.publishing-choice');
    expect(await page.textContent('.publishing-summary .diff-after .diff-value')).toBe(MARKUP);
    await page.click("button:text-is('Keep my changes')");
    await page.click(save);
    await page.waitForSelector('dialog[open]');
    await page.click("dialog button:text-is('Save 2 changes')");
    await page.waitForSelector('.toast >> text=places is saved.');
    expect(await readType()).toMatchObject({
      title: 'Surveyed places',
      abstract: MARKUP,
      keywords: { string: ['one', 'two'] },
    });

    await page.click('.toast >> text=Undo');
    await page.waitForSelector('.toast >> text=is undone.');
    expect((await readType())['title']).not.toBe('Surveyed places');
    await page.click("button:text-is('Compute both from the data')");
    await page.waitForSelector('.toast >> text=The extents are computed.');
  });

  describe('granules', () => {
    it('are filtered, removed, restored and harvested by mouse', async () => {
      const { page } = await openSignedIn(granules);
      await page.waitForSelector('.granules-table tbody tr >> nth=3');
      await page.fill('.filter-box-input', 'day >> 2');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.filter-error mark[data-column="6"]');
      await page.fill('.filter-box-input', "location LIKE '%0102.tif'");
      await page.keyboard.press('Enter');
      await page.waitForSelector('.granules-actions >> text=1 granule');
      await page.check('.granules-table tbody input');
      await page.click("button:text-is('Remove')");
      await page.click("dialog button:text-is('Remove')");
      await page.waitForSelector('.toast >> text=1 granule removed.');
      await page.click('button[aria-label="Remove the filter"]');
      await page.waitForSelector('.granules-actions >> text=3 granules');

      await page.click("button:text-is('Harvest')");
      await page.fill('dialog [name=path]', 'file:data/snow/snow_20240102.tif');
      await page.route('**/external.imagemosaic**', () => undefined);
      await page.click("dialog button:text-is('Harvest')");
      await page.waitForSelector('dialog progress');
      await page.click('dialog .upload-progress >> text=Cancel');
      await page.unroute('**/external.imagemosaic**');
      await page.click("dialog button:text-is('Harvest')");
      await page.waitForSelector('.toast >> text=1 granule harvested.');
      await page.waitForSelector('.granules-actions >> text=4 granules');
    });

    it('are explained if the mosaic has none, with the next step', async () => {
      const { page } = await openSignedIn('help');
      await page.route('**/index/granules**', (route) => route.fulfill({ json: { features: [] } }));
      await page.goto(new URL(granules, getRoot()).href);
      await page.click('.empty:has-text("Granules are the images of the mosaic") button');
      await page.waitForSelector('dialog[open] [name=path]');
      await page.goto(new URL(`${granules}?filter=a%3D1`, getRoot()).href);
      await page.click('.empty:has-text("No granule matches") >> text=Clear filter');
      await page.waitForSelector('.empty >> text=No granules yet');
      await page.route('**/coveragestores/snow/coverages', (route) => route.fulfill({ json: { coverages: '' } }));
      await page.goto(new URL(granules, getRoot()).href);
      await page.click('.empty:has-text("no published coverage") >> text=Open the store');
      await page.waitForSelector('h1 >> text=snow');
      expect(new URL(page.url()).search).toBe('?kind=coveragestores');
    });

    it('are selected by keyboard, and by times on a phone', async () => {
      const { page } = await openSignedIn(granules, { viewport: phone });
      await page.waitForSelector('.time-slider');
      await page.focus('.time-slider input');
      await page.keyboard.press('End');
      await page.waitForSelector('.granules-actions >> text=1 granule');
      await page.focus('.granules-table tbody input');
      await page.keyboard.press('Space');
      await page.waitForSelector('.granules-actions >> text=1 granule selected');
      await tabTo(page, 'Remove', true);
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog[open]', { state: 'detached' });

      expect(await findOverhang(page)).toBe(0);
    });
  });

  it('creates a group, moves its members by keyboard, and deletes it with what contains it', async () => {
    const { page } = await openSignedIn('w/survey/new/group');
    await page.fill('[name=name]', 'both');
    await page.fill('[name=title]', MARKUP);
    for (const name of ['survey:places', 'survey:snow']) {
      await page.click('.group-members .menu-button');
      await page.click(`.menu-panel:popover-open .menu-item:has-text("${name}")`);
    }
    await page.click("button[type=submit]:text-is('Create a group')");
    await page.waitForSelector('.toast >> text=Group both is saved.');
    await page.waitForSelector('.group-head >> text=Delete');
    expect(await page.textContent('h1')).toBe(MARKUP);

    await page.focus('.sortable-handle >> nth=0');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.focus(save);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.toast >> nth=1');
    const read = await client.server.get('/workspaces/survey/layergroups/both.json');
    const { layerGroup } = read.json() as { layerGroup: { publishables: { published: { name: string }[] } } };
    expect(layerGroup.publishables.published.map(({ name }) => name)).toEqual(['survey:snow', 'survey:places']);

    const published = [
      { '@type': 'layerGroup', name: 'survey:both' },
      { '@type': 'layer', name: 'survey:places' },
    ];
    const outer = { layerGroup: { name: 'outer', publishables: { published } } };
    await client.server.post('/layergroups', JSON.stringify(outer));
    await page.click('.group-head >> text=Delete');
    await page.waitForSelector('dialog li:has-text("\'outer\'")');
    await page.click("dialog button:text-is('Remove it from them and delete it')");
    await page.waitForSelector('.toast >> text=Group both is deleted.');
    expect((await client.server.get('/workspaces/survey/layergroups/both.json')).status).toBe(404);
    await client.server.delete('/layergroups/outer');
  });

  it('removes one of two equal members of a group, and keeps the style of the other', async () => {
    const member = { '@type': 'layer', name: 'survey:places' };
    const layerGroup = {
      ...{ name: 'twice', publishables: { published: [member, member] } },
      styles: { style: [{ name: 'point' }, ''] },
    };
    await client.server.post('/workspaces/survey/layergroups', JSON.stringify({ layerGroup }));
    const { page } = await openSignedIn('w/survey/groups/twice');
    // The uppermost member is the first one.
    await page.click('.group-member >> nth=0 >> button');
    await page.click(save);
    await page.waitForSelector('.toast >> text=Group twice is saved.');

    const { json } = await client.server.get('/workspaces/survey/layergroups/twice.json');
    const { layerGroup: saved } = json() as {
      layerGroup: { publishables: { published: unknown }; styles: { style: unknown } };
    };
    expect([[saved.publishables.published].flat().length, [saved.styles.style].flat()]).toEqual([
      1,
      [expect.objectContaining({ name: 'point' })],
    ]);
  });

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('axe finds no violation: %s', async (_, viewport) => {
    const { page } = await openSignedIn('', { viewport });
    await checkPages(page, [
      [`${places}?table=on&filter=people+%3E%3E+2&panel=layers`, '.filter-error'],
      [`${places}?panel=use`, '.use-panel'],
      [`${places}?panel=edit`, '.edit-new'],
      [`${places}?tab=publish`, '.publishing-sections'],
      [granules, '.granules-table tbody tr'],
      ['groups', '.groups'],
      ['w/survey/new/group', '.group-members'],
    ]);
  });
});

/** Three places with times, and a mosaic of four days. */
async function furnishMaps(server: TestServer): Promise<void> {
  const day = (month: number) => new Date(Date.UTC(2024, month, 1));
  await publishEditableTables(server, 'survey', [
    {
      name: 'places',
      attributes: [
        geometryColumn('Point'),
        column('name', 'string'),
        column('people', 'integer'),
        column('seen', 'timestamp'),
      ],
      rows: [
        [wkt('POINT (7.5 47)'), 'Bern', 134, day(0)],
        [wkt('POINT (8.5 47.4)'), 'Zürich', 200, day(1)],
        [wkt('POINT (6.1 46.2)'), 'Genève', 500, day(2)],
      ],
    },
    { name: 'remarks', attributes: [column('text', 'string')], rows: [['dry']] },
  ]);
  const dimensionInfo = { enabled: true, attribute: 'seen', presentation: 'LIST', units: 'ISO8601' };
  await send(server, 'PUT', '/workspaces/survey/datastores/data/featuretypes/places', {
    featureType: { metadata: { entry: [{ '@key': 'time', dimensionInfo }] } },
  });
  const folder = join(server.dataDir, 'data', 'snow');
  await mkdir(folder, { recursive: true });
  for (const each of ['01', '02', '03', '04']) {
    await writeFile(join(folder, `snow_202401${each}.tif`), geotiffBytes(8, 8));
  }
  await writeFile(
    join(folder, 'indexer.properties'),
    'Schema=*the_geom:Polygon,location:String,day:java.util.Date\nPropertyCollectors=TimestampFileNameExtractorSPI[day](day)\nTimeAttribute=day\n',
  );
  await writeFile(join(folder, 'day.properties'), 'regex=[0-9]{8}\n');
  const made = await server.request('PUT', '/workspaces/survey/coveragestores/snow/external.imagemosaic', {
    type: 'text/plain',
    body: 'file:data/snow',
  });
  if (made.status >= 300) throw new Error(made.text);
}

async function send(server: TestServer, method: string, path: string, document: object): Promise<void> {
  const { status, text } = await server.request(method, path, { type: 'json', body: JSON.stringify(document) });
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
}

async function clickMap(page: Page, x: number, y: number): Promise<void> {
  const box = await page.locator('.map-canvas').boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * x, (box?.y ?? 0) + (box?.height ?? 0) * y);
}

/** Presses Tab until a button with the text has the focus. */
async function tabTo(page: Page, text: string, isBackwards = false): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press(isBackwards ? 'Shift+Tab' : 'Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === text) return;
  }
  throw new Error(`No button '${text}' is reached with Tab`);
}

async function download(page: Page, button: string): Promise<{ readonly name: string; readonly text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  const path = await file.path();
  return { name: file.suggestedFilename(), text: await readFile(path, 'latin1') };
}
