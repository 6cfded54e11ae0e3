/** Publishing in the console: files, databases, stores and workspaces, by mouse, by keyboard and on a phone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility, checkPages } from '../support/console-axe.ts';
import { desktop, findOverhang, phone, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, MARKUP, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { writeShapefile } from '../support/shapefile-bytes.ts';
import { isOnPostgres } from '../support/shared-storage.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { coloredTiles, createTownTiles, encodePmtiles, townMetadata, writeMbtiles } from '../support/tile-archives.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { describeWithTool } from '../support/with-tool.ts';

const drawn = '.map-canvas[data-state=drawn]';
const { workspace } = shown;

describeWithTool('chromium', 'publishing in the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  let steward: readonly string[];
  let folder = '';
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
    folder = await mkdtemp(join(tmpdir(), 'graticule-console-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const writeParts = async (name: string, { prj, ...others } = pointShapefile(), withPrj = true) => {
    await writeShapefile(folder, name, withPrj && prj !== undefined ? { ...others, prj } : others);
    return ['shp', 'shx', 'dbf', ...(withPrj ? ['prj'] : [])].map((extension) => join(folder, `${name}.${extension}`));
  };
  const readLayer = (path: string) => client.server.get(`/workspaces/${workspace}/layers/${path}`);
  const undo = async (page: Page) => {
    await page.click('.toast >> text=Undo');
    await page.waitForSelector('.toast:has-text("is undone")');
  };

  describe('files', () => {
    it('are dropped anywhere, described, and published with two clicks; Undo takes them back', async () => {
      const paths = await writeParts('mouse');
      const { page } = await openSignedIn('');
      await dropFiles(page, paths);
      await page.waitForSelector('[data-state=checked]');
      expect(new URL(page.url()).pathname).toMatch(/console\/publish$/);
      await chooseWorkspace(page, workspace);
      await page.waitForSelector('[data-state=checked]');

      const report = await page.textContent('.publish-layer');
      expect(report).toContain('Points, 3 features');
      expect(report).toContain('EPSG:4326');
      expect(await page.textContent('.publish-sample td')).toBe('place 0');
      await page.click('text=Publish >> nth=-1');
      await page.waitForSelector(drawn);
      expect(await page.textContent('h1')).toBe('mouse');
      await undo(page);
      expect((await readLayer('mouse')).status).toBe(404);
    });

    it('are published by keyboard only, after their CRS was searched', async () => {
      const { page } = await openSignedIn(`publish?w=${workspace}`);
      // The browser must know early that the dialog is for the test: keys overtake the message.
      const chooser = page.waitForEvent('filechooser');
      await page.focus('.drop-zone-buttons .button');
      await page.keyboard.press('Space');
      await (await chooser).setFiles(await writeParts('keys', pointShapefile(), false));
      await page.waitForSelector('[data-state=checked] .publish-missing');
      await page.focus('.publish-missing input');
      await page.keyboard.type('wgs 84');
      await page.waitForSelector('[role=option] >> text=EPSG:4326');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-state=checked] .publish-extent');
      await page.focus('.publish-sample');
      await tabTo(page, 'Publish');
      await page.keyboard.press('Enter');
      await page.waitForSelector(drawn);

      const type = await client.server.get(`/workspaces/${workspace}/datastores/keys/featuretypes/keys.json`);
      expect(type.json()).toMatchObject({ featureType: { srs: 'EPSG:4326' } });
    });

    it('in a ZIP archive are published at a width of 360 pixels', async () => {
      const archive = join(folder, 'phone.zip');
      await writeFile(archive, zipOf({ one: pointShapefile(), two: pointShapefile(4) }));
      const { page } = await openSignedIn(`publish?w=${workspace}`, { viewport: phone });
      const widths = [await findOverhang(page)];
      await page.setInputFiles('[data-kind=files]', archive);
      await page.waitForSelector('[data-state=checked]');
      widths.push(await findOverhang(page));
      await page.click('text=Publish 2 layers');
      await page.waitForSelector('.layers-title >> text=two');
      widths.push(await findOverhang(page));

      expect(widths).toEqual([0, 0, 0]);
    });

    it('with tiles are described and published', async () => {
      const tiles = createTownTiles((bytes) => bytes);
      writeMbtiles(join(folder, 'relief.mbtiles'), { tiles: coloredTiles, metadata: { format: 'png' } });
      await writeFile(join(folder, 'city.pmtiles'), encodePmtiles({ tiles, tileType: 1, metadata: townMetadata }));
      const { page } = await openSignedIn(`publish?w=${workspace}`);
      const names = ['relief.mbtiles', 'city.pmtiles'].map((name) => join(folder, name));
      await page.setInputFiles('[data-kind=files]', names);
      await page.waitForSelector('[aria-label=relief][data-state=checked]');
      await page.waitForSelector('[aria-label=city][data-state=checked]');
      expect(await page.textContent('[aria-label=relief] h2')).toBe('MBTiles: relief');
      expect(await page.textContent('[aria-label=city] h2')).toBe('PMTiles: city');
      await page.click('[aria-label=relief] .publish-card-foot button');
      await page.waitForSelector('[aria-label=relief][data-state=done]');
      await page.click('[aria-label=city] .publish-card-foot button');
      await page.waitForSelector('[aria-label=city][data-state=done]');

      const types = await Promise.all(['relief', 'towns', 'areas'].map((name) => readLayer(`${name}.json`)));
      expect(types.map((each) => each.json())).toMatchObject(
        ['RASTER', 'VECTOR', 'VECTOR'].map((type) => ({ layer: { type } })),
      );
    });

    it('with the name of a store get another name, or replace its data', async () => {
      const { page } = await openSignedIn(`publish?w=${workspace}`);
      const upload = async (count: number) => {
        await page.setInputFiles('[data-kind=files]', await writeParts('taken', pointShapefile(count)));
        await page.waitForSelector('.publish-card');
      };
      await upload(3);
      await page.click('[data-state=checked] >> text=Publish >> nth=-1');
      await page.waitForSelector(drawn);
      for (const [choice, store] of [
        ['Use the name taken_2', 'taken_2'],
        ['Replace its data', 'taken'],
      ] as const) {
        await page.goto(new URL(`publish?w=${workspace}`, getRoot()).href);
        await upload(5);
        await page.waitForSelector('[data-state=exists]');
        await page.click(`text=${choice}`);
        await page.click('[data-state=checked] .publish-card-foot button');
        await page.waitForSelector(drawn);
        expect((await client.server.get(`/workspaces/${workspace}/datastores/${store}`)).status).toBe(200);
      }
      const features = await client.server.get(
        `//geoserver/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=${workspace}:taken&outputFormat=application/json`,
      );
      expect(features.json()).toMatchObject({ numberMatched: 5 });
    });

    it('without data, and damaged ones, are explained', async () => {
      const notes = join(folder, `${MARKUP.replaceAll('/', '')}.txt`);
      const damaged = join(folder, 'damaged.gpkg');
      await Promise.all([writeFile(notes, 'x'), writeFile(damaged, 'no database')]);
      const { page } = await openSignedIn(`publish?w=${workspace}`);
      await page.setInputFiles('[data-kind=files]', [notes]);
      expect(await page.textContent('.notice-error')).toContain('No dataset was found');
      expect(await page.textContent('.notice-warning')).toContain('onerror=alert');

      await page.click('text=Choose other files');
      await page.setInputFiles('[data-kind=files]', [damaged]);
      await page.waitForSelector('[data-state=failed] [role=alert]');
      expect((await client.server.get(`/workspaces/${workspace}/datastores/damaged`)).status).toBe(404);
    });

    it('that are being sent can be cancelled, and nothing is changed', async () => {
      const { page } = await openSignedIn(`publish?w=${workspace}`);
      await page.route('**/file.shp**', () => undefined);
      await page.setInputFiles('[data-kind=files]', await writeParts('slow'));
      await page.click('[data-state=sending] >> text=Cancel');
      expect(await page.textContent('[data-state=cancelled] [role=status]')).toBe('Cancelled. Nothing was changed.');
    });
  });

  it('sample data is on a map after one click on the home page, and undone with one', async () => {
    const { page } = await openSignedIn('');
    await publishSample(page);

    expect(new URL(page.url()).pathname).toMatch(/w\/sample\/layers\/countries$/);
    for (const name of ['cities', 'countries', 'graticule']) {
      const layer = (await client.server.get(`/workspaces/sample/layers/${name}.json`)).json();
      expect(layer).toMatchObject({ layer: { type: 'VECTOR', defaultStyle: { name: `sample:${name}` } } });
    }
    const map = `//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=sample:world&styles=&srs=EPSG:4326&bbox=-180,-90,180,90&width=64&height=32&format=image/png`;
    const drawnMap = await client.server.get(map);
    expect([drawnMap.status, drawnMap.headers['content-type']]).toEqual([200, 'image/png']);
    await undo(page);
    expect((await client.server.get('/workspaces/sample')).status).toBe(404);
  });

  it('features of the sample data are editable and stay when it is published again, or read-only on several nodes', async () => {
    const { page } = await openSignedIn('');
    await publishSample(page);
    const message = await page.textContent('.toast');
    // The map of a group has no other tab.
    const { page: preview } = await openSignedIn('w/sample/layers/world?as=anonymous');
    await preview.waitForSelector('.map-canvas[data-state=drawn]');
    expect(await preview.locator('.tabs a').allTextContents()).toEqual(['Map']);
    const { page: styles } = await openSignedIn('w/sample/styles/countries');
    await styles.click('text=Classify…');
    // A number is chosen first.
    await styles.waitForSelector('.wizard-classes h3:text-is("5 classes")');
    await styles.selectOption('.wizard select >> nth=0', 'name');
    await styles.waitForSelector('.wizard >> text=The attribute name has more than 50 different values.');
    await page.goto(new URL('w/sample/layers/cities?table=on', getRoot()).href);
    await page.hover('[data-id="cities.22"]');
    if (isOnPostgres) {
      expect(message).toContain('read-only, because several nodes share the storage');
      expect(await page.locator('.map-actions >> text=Edit').count()).toBe(0);
    } else {
      expect(message).toContain('whose features you can edit');
      await page.click('.map-actions >> text=Edit');
      await page.click("button:text-is('Edit cities.22')");
      await page.fill('.edit-form [name=note]', 'by the lake');
      await page.click("button:text-is('Save')");
      await page.waitForSelector('.toast >> text=1 change saved.');
      expect(await readNotes()).toEqual(['by the lake']);
      await page.click('.toast >> text=Undo');
      await page.waitForSelector('.toast >> text=The edits are undone.');
      expect(await readNotes()).toEqual([null]);

      await page.hover('[data-id="cities.22"]');
      await page.click("button:text-is('Edit cities.22')");
      await page.fill('.edit-form [name=note]', 'by the river');
      await page.click("button:text-is('Save')");
      await expect.poll(readNotes).toEqual(['by the river']);
      await client.server.delete('/workspaces/sample/layergroups/world');
      await page.goto(getRoot());
      await publishSample(page);
      expect(await readNotes()).toEqual(['by the river']);
      expect((await client.server.get('/workspaces/sample/layergroups/world')).status).toBe(200);
    }
    await client.server.delete('/workspaces/sample?recurse=true');
  });

  const publishSample = async (page: Page) => {
    await page.click('.begin-card >> text=Publish >> nth=-1');
    await page.waitForSelector(drawn);
    await page.waitForSelector('.toast');
  };

  const readNotes = async () => {
    const items = `//geoserver/ogc/features/v1/collections/sample:cities/items?f=json&filter=name='Zürich'`;
    const { features } = (await client.server.get(encodeURI(items))).json() as {
      readonly features: readonly { readonly properties: { readonly note: string | null } }[];
    };
    return features.map(({ properties }) => properties.note);
  };

  it('a workspace is created, made the default, changed and deleted with its contents', async () => {
    const { page } = await openSignedIn('');
    await page.click('.new-button');
    await page.click('.menu-panel >> text=New workspace');
    await page.fill('dialog [name=name]', 'a:b');
    await page.click('dialog >> text=Create');
    await page.waitForSelector('dialog .field-error, dialog [role=alert]');
    await page.fill('dialog [name=name]', 'parks');
    await page.fill('dialog [name=uri]', 'https://city.example/parks');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:text-is("parks")');
    await page.click('text=Make it the default');
    await page.waitForSelector('.badge >> text=Default workspace');
    await page.check('[name=isolated]');
    await page.click('.workspaces-form >> text=Save');
    await page.waitForSelector('.badge >> text=Isolated');
    expect((await client.server.get('/namespaces/parks.json')).json()).toMatchObject({
      namespace: { uri: 'https://city.example/parks', isolated: true },
    });
    await client.server.post('/workspaces/parks/styles', '{"style":{"name":"trees","filename":"trees.sld"}}');
    await page.click('.data-page-head >> text=Delete');
    await page.waitForSelector('dialog .delete-list >> text=trees');
    await page.click('dialog .button-primary');
    await page.waitForSelector('h1:text-is("Workspaces")');

    expect((await client.server.get('/workspaces/parks')).status).toBe(404);
  });

  it('a steward publishes in the own workspace, and sees nothing of others', async () => {
    const { page, bodies } = await openSignedIn('publish', {}, steward);
    await page.setInputFiles('[data-kind=files]', await writeParts('steward'));
    await page.waitForSelector('[data-state=checked]');
    expect(await page.inputValue('[name=workspace]')).toBe(workspace);
    await page.click('.publish-card-foot button');
    await page.waitForSelector(drawn);
    for (const address of [
      '',
      'stores',
      'workspaces',
      `workspaces/${workspace}`,
      `w/${workspace}/stores/steward`,
      'new',
    ]) {
      await page.goto(new URL(address, getRoot()).href);
      await page.waitForSelector('h1');
      await page.waitForLoadState('networkidle');
      expect([address, (await page.content()).includes(SECRET_WORKSPACE)]).toEqual([address, false]);
    }
    expect((await bodies()).filter((text) => text.includes(SECRET_WORKSPACE))).toEqual([]);
  });

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('axe finds no violation on any page: %s', async (name, viewport) => {
    const { page } = await openSignedIn('', { viewport });
    await client.server.request('PUT', `/workspaces/${workspace}/datastores/axe/file.shp`, {
      type: 'application/zip',
      body: zipOf({ axe: pointShapefile() }),
    });
    await checkPages(page, [
      ['', '.begin-card'],
      ['publish', '.drop-zone'],
      ['new', '.kind-card'],
      ['new/wms', '[name=capabilitiesURL]'],
      ['new/postgis', '[name=host]'],
      ['stores', '.data-list'],
      [`w/${workspace}/stores/axe`, '.store-good'],
      [`w/${workspace}/stores/axe/sql-view`, 'textarea'],
      ['workspaces', '.data-list'],
      ['workspaces?new=1', 'dialog [name=name]'],
      [`workspaces/${workspace}`, '[name=uri]'],
    ]);
    await page.goto(new URL(`publish?w=${workspace}`, getRoot()).href);
    await page.setInputFiles('[data-kind=files]', await writeParts(`axe-${name}`, pointShapefile(), false));
    await page.waitForSelector('[data-state=checked]');
    await page.click('.publish-missing input');
    await page.waitForSelector('[role=option]');
    await checkAccessibility(page, 'publish with a list of CRS');
    await page.click('.new-button');
    await checkAccessibility(page, 'new menu');
  });

  describeWithPostgis('databases', (postgis) => {
    beforeAll(async () => {
      await postgis.query('CREATE TABLE streets (id serial PRIMARY KEY, name text, geom geometry(Point, 4326))');
      await postgis.query("INSERT INTO streets (name, geom) VALUES ('a', ST_Point(8, 47, 4326))");
      await postgis.query('CREATE TABLE rivers (id serial PRIMARY KEY, geom geometry(LineString, 25832))');
      await postgis.query('CREATE TABLE plain (id serial PRIMARY KEY, note text)');
      await postgis.query(`CREATE TABLE "${MARKUP.slice(0, 20)}" (id serial PRIMARY KEY, geom geometry(Point, 4326))`);
    });
    const createLine = (changes: { readonly password?: string } = {}) => {
      const { host, port, database, user, password } = { ...postgis.connection, ...changes };
      return `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
    };
    const good = '.connect-steps li[data-state=good] >> nth=3';

    it('are connected from a line, and ticked tables are published as one change', async () => {
      const { page, requests } = await openSignedIn(`new/postgis?w=${workspace}`);
      await page.fill('[name=line]', createLine({ password: 'wrong' }));
      await page.waitForSelector('.connect-steps li[data-state=failed] >> text=Login');
      expect(await page.textContent('.connect-state .notice')).toContain(
        'the database rejected the user or the password',
      );
      await page.fill('[name=passwd]', postgis.connection.password);
      await page.waitForSelector(good);
      await page.fill('[name=storeName]', 'pg');
      await page.waitForSelector(good);
      await page.fill('.table-choice input[type=search]', 'stree');
      await page.check('.table-choice [name=streets]');
      await page.fill('.table-choice input[type=search]', '');
      expect(await page.textContent('.table-choice li:has([name=rivers])')).toContain('Lines · EPSG:25832');
      await page.check('.table-choice [name=rivers]');
      await page.click('text=Publish 2 layers');
      await page.waitForSelector('.toast >> text=Undo');

      expect([(await readLayer('streets')).status, (await readLayer('rivers')).status]).toEqual([200, 200]);
      const password = encodeURIComponent(postgis.connection.password);
      expect(requests.filter((request) => request.includes(password) || request.includes('wrong'))).toEqual([]);
      expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage])')).not.toContain(password);
      await undo(page);
      expect((await client.server.get(`/workspaces/${workspace}/datastores/pg`)).status).toBe(404);
    });

    it('are connected by keyboard only', async () => {
      const { page } = await openSignedIn(`new/postgis?w=${workspace}`);
      const { host, port, database, user, password } = postgis.connection;
      await page.focus('[name=host]');
      for (const text of [host, String(port), database, 'public', user, password]) {
        await page.keyboard.type(text);
        await page.keyboard.press('Tab');
      }
      await page.waitForSelector(good);
      await page.focus('.table-choice [name=streets]');
      await page.keyboard.press('Space');
      await tabTo(page, 'Publish 1 layer');
      await page.keyboard.press('Enter');
      await page.waitForSelector(drawn);
      await undo(page);
    });

    it('have a page with what is published, and tables and queries are published from it', async () => {
      const { page } = await openSignedIn(`new/postgis?w=${workspace}`, { viewport: phone });
      await page.fill('[name=line]', createLine());
      await page.fill('[name=storeName]', 'base');
      await page.waitForSelector(good);
      const widths = [await findOverhang(page)];
      await page.click('text=Connect without layers');
      await page.waitForSelector('.store-good');
      widths.push(await findOverhang(page));
      expect(await page.content()).not.toContain(postgis.connection.password);
      await page.check('.table-choice [name=rivers]');
      await page.click('text=Publish 1 layer');
      await page.waitForSelector('.store-layers >> text=rivers');

      await page.click('text=Publish a query');
      await page.fill('[name=name]', 'named');
      await page.fill('textarea', "SELECT id, name, geom FROM streets WHERE name = '%name%'");
      await page.fill('[name="default name"]', 'a');
      await page.fill('[name=key]', 'id');
      await page.fill('[name=geometry]', 'geom');
      await page.fill('[name=srid]', '4326');
      await page.click('text=Preview');
      await page.waitForSelector('.facts dt >> text=name');
      widths.push(await findOverhang(page));
      await page.fill('textarea', 'SELECT nothing FROM nowhere');
      await page.click('text=Preview');
      await page.waitForSelector('[role=alert]');
      await page.fill('textarea', "SELECT id, name, geom FROM streets WHERE name = '%name%'");
      await page.click('.sql-view .button-primary');
      await page.waitForSelector(drawn);

      expect(widths).toEqual([0, 0, 0]);
      await page.goto(new URL(`w/${workspace}/stores/base`, getRoot()).href);
      await page.click('text=Disable');
      await page.waitForSelector('.notice-warning >> text=The store is disabled');
      await page.click('text=Enable >> nth=-1');
      await page.waitForSelector('.store-good');
      await page.click('text=Edit');
      await page.fill('dialog [name=schema]', 'public');
      await page.click('dialog >> text=Save');
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.waitForSelector('.store-good');
      await page.click('.data-page-head >> text=Delete');
      await page.waitForSelector('dialog >> text=Delete with 2 layers');
      await page.click('dialog .button-primary');
      await page.waitForSelector('h1:text-is("Stores")');
    });
  });
});

/** Drops files of the disk on the page, as a user does from a file manager. */
async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  // Only inputs of the page may have files of the disk.
  await page.evaluate(`document.body.insertAdjacentElement('beforeend',
    Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'dropped' }))`);
  await page.setInputFiles('#dropped', paths);
  await page.evaluate(`(() => {
    const input = document.querySelector('#dropped');
    const dataTransfer = new DataTransfer();
    for (const file of input.files) dataTransfer.items.add(file);
    input.remove();
    for (const type of ['dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  })()`);
}

async function chooseWorkspace(page: Page, name: string): Promise<void> {
  await page.fill('[name=workspace]', name);
  await page.click(`.combobox-option:has-text("${name}")`);
}

/** Presses Tab until the button with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    if ((await page.evaluate('document.activeElement.textContent')) === text) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${text}`);
}
