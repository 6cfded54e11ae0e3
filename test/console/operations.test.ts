/** History, search, status, configuration and the other pages of operations: by mouse, by keyboard and on a phone. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility, checkPages } from '../support/console-axe.ts';
import { desktop, findOverhang, phone, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, MARKUP, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { readChangeNumber } from '../support/history.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { createUnsupportedFiles } from '../support/source-directories/faults.ts';
import { createSampleDirectory } from '../support/source-directories/sample.ts';
import { packDirectory } from '../support/source-directories/write-directory.ts';
import { lineSld, SLD_TYPE } from '../support/styles.ts';
import { describeWithTool } from '../support/with-tool.ts';

const roads = `/workspaces/${shown.workspace}/datastores/data/featuretypes/${shown.layer}`;

describeWithTool('chromium', 'the pages of operations', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  let steward: readonly string[];
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
    await client.server.post('/workspaces', '{"workspace":{"name":"fixed"}}');
  });

  const describeRoads = async (abstract: string) =>
    readChangeNumber(await client.server.put(roads, JSON.stringify({ featureType: { abstract } })));
  const readAbstract = async () => {
    const { featureType } = (await client.server.get(`${roads}.json`)).json() as {
      readonly featureType: { readonly abstract?: string };
    };
    return featureType.abstract;
  };
  /** A layer without verified data, in a store whose database is unreachable. */
  const publishUnverified = async (nativeName: string) => {
    const resource = {
      kind: 'featureType',
      path: `/workspaces/${shown.workspace}/datastores/far/featuretypes/${nativeName}`,
      fields: { nativeName, srs: 'EPSG:4326', attributes: { attribute: [{ name: 'geom' }] } },
    };
    const document = JSON.stringify({ format: 'graticule-configuration/1', resources: [resource] });
    const { status, text } = await client.server.post('/configuration/apply?unverified=accept', document, {
      type: 'json',
    });
    expect([status, text]).toEqual([200, expect.any(String)]);
  };
  const createWorkspace = (name: string) => client.server.post('/workspaces', JSON.stringify({ workspace: { name } }));

  describe('history', () => {
    it('finds a change by its path, shows its fields and undoes it by mouse', async () => {
      await describeRoads('first');
      const changed = await describeRoads(`second ${MARKUP}`);
      const { page } = await openSignedIn('');
      await page.click('.rail >> text=Operations');
      await page.click('.tabs >> text=History');
      await page.waitForSelector('.history-row');
      expect(await page.locator('.history-row:has-text("create token")').count()).toBe(0);
      await page.check('.history-sign-ins input');
      await page.waitForSelector('.history-row:has-text("create token Console")');
      await page.fill('[name=filter-path]', `/workspaces/${shown.workspace}`);
      await page.waitForURL(/path=/);
      await page.click(`.history-number:text-is("${changed}")`);
      await page.waitForSelector('.diff-fields');

      expect(await readCells(page)).toContainEqual(['abstract', 'first', `second ${MARKUP}`]);
      await page.click('text=Undo…');
      await page.waitForSelector('.undo-items');
      await page.click('dialog .button-primary');
      await page.waitForSelector(`.toast:has-text("Change ${changed} is undone.")`);
      await page.waitForSelector(`.history-facts a:text-is("Change ${changed}")`);
      expect(await readAbstract()).toBe('first');
    });

    it('names the later changes that conflict, with links to them', async () => {
      const earlier = await describeRoads('one');
      const later = await describeRoads('two');
      const { page } = await openSignedIn(`operations/history/${earlier}`);
      await page.click('text=Undo…');
      await page.waitForSelector('dialog [role=alert]');
      expect(await page.locator('dialog .button-primary').count()).toBe(0);
      await page.click(`dialog a:has-text("change ${later}")`);
      await page.waitForSelector(`h1:text-is("Change ${later}")`);

      expect(await readAbstract()).toBe('two');
    });

    it('shows the text of a style before and after a change', async () => {
      await client.server.post('/styles?name=stroke', lineSld('first'), { type: SLD_TYPE });
      const changed = readChangeNumber(
        await client.server.put('/styles/stroke', lineSld('second'), { type: SLD_TYPE }),
      );
      const { page } = await openSignedIn(`operations/history/${changed}`);
      await page.waitForSelector('.diff-text');

      expect(await page.textContent('.diff-removed .diff-line')).toContain('first');
      expect(await page.textContent('.diff-added .diff-line')).toContain('second');
    });

    it('undoes the last change by keyboard only', async () => {
      await describeRoads('kept');
      const { page } = await openSignedIn('help');
      const changed = await describeRoads('wrong');
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.waitForSelector(`.history-number:text-is("${changed}")`);
      await tabTo(page, `.history-number`);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.diff-fields');
      await tabTo(page, '.operations-title .button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.undo-items');
      await tabTo(page, 'dialog .button-primary');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.toast');

      expect(await readAbstract()).toBe('kept');
    });

    it('undoes a change on a phone, and is linked from the history of a layer and its feature type', async () => {
      const path = `/workspaces/${shown.workspace}/layers/${shown.layer}`;
      const described = await describeRoads('listed');
      await client.server.put(path, '{"layer":{"opaque":true}}');
      const { page } = await openSignedIn(`w/${shown.workspace}/layers/${shown.layer}?tab=history`, {
        viewport: phone,
      });
      await page.waitForSelector(`.change-table a:text-is("${described}")`);
      await page.click('text=All changes');
      await page.waitForSelector(`.history-number:text-is("${described}")`);
      const widths = [await findOverhang(page)];
      await page.click('.history-number >> nth=0');
      await page.waitForSelector('.diff-fields');
      widths.push(await findOverhang(page));
      await page.click('text=Undo…');
      await page.click('dialog .button-primary');
      await page.waitForSelector('.toast');

      expect(widths).toEqual([0, 0]);
      expect((await client.server.get(`${path}.json`)).text).toContain('"opaque":false');
    });
  });

  describe('search', () => {
    it('opens a layer, a change, a page and a pasted address by keyboard only', async () => {
      const { page } = await openSignedIn('help');
      await page.keyboard.press('/');
      await page.waitForSelector('dialog [role=combobox]:focus');
      await page.keyboard.type('ROADS');
      await page.waitForSelector('[role=option][aria-selected=true]:has-text("city:roads")');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`w/${shown.workspace}/layers/${shown.layer}`));

      await search(page, 'tile cac');
      await page.waitForURL(/operations\/tiles/);
      await search(page, 'service rul');
      await page.waitForURL(/security\/access\?tab=services/);
      await search(page, 'maximum size');
      await page.waitForURL(/operations\/tiles/);
      await search(page, `${getRoot().replace('console/', 'wms')}?layers=city%3Aroads&request=GetMap`);
      await page.waitForURL(/w\/city\/layers\/roads/);
      await search(page, '5');
      await page.waitForURL(/operations\/history\/5$/);
      await search(page, 'epsg:25832');
      await page.waitForSelector('h1:has-text("ETRS89 / UTM zone 32N")');
      await search(page, 'dark');
      await expect.poll(() => page.getAttribute('html', 'data-theme')).toBe('dark');
    });

    it('moves between results with the arrow keys and closes with Esc', async () => {
      const { page } = await openSignedIn('help');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('roads');
      await page.waitForSelector('[role=option]:has-text("city:roads")');
      const readActive = () =>
        page.evaluate(
          `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.ariaSelected`,
        );
      await page.keyboard.press('ArrowDown');
      expect(await readActive()).toBe('true');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Escape');
      await page.waitForSelector('.search-dialog', { state: 'detached' });
      expect(await page.evaluate('document.activeElement.tagName')).not.toBe('INPUT');
    });

    it.each([
      ['by mouse', desktop],
      ['on a phone', phone],
    ] as const)('opens a workspace %s, with its name as text', async (_, viewport) => {
      const { page } = await openSignedIn('help', { viewport });
      await page.click('.search-box');
      await page.fill('[role=combobox]', 'onerror');
      await page.waitForSelector('[role=option]:has-text("Workspace")');
      expect(await page.textContent('.search-option:has-text("Workspace") .search-name > span')).toBe(MARKUP);
      expect(await findOverhang(page)).toBe(0);
      await page.click('[role=option]:has-text("Workspace")');
      await page.waitForURL(/img/);
    });

    it('finds for a data steward nothing of other workspaces and no pages of operations', async () => {
      const { page, bodies } = await openSignedIn('help', {}, steward);
      for (const text of ['forestry', 'stands', 'status', 'city']) {
        await page.keyboard.press('/');
        const answer = page.waitForResponse(/rest\/search/);
        await page.keyboard.type(text);
        await answer;
        await page.waitForSelector('.search-foot');
        if (text === 'city') await page.waitForSelector('[role=option]:has-text("city:roads")');
        else await page.waitForSelector(`.search-foot:has-text("Nothing matches")`);
        await page.keyboard.press('Escape');
      }

      expect((await bodies()).filter((text) => text.includes(SECRET_WORKSPACE))).toEqual([]);
    });
  });

  describe('status', () => {
    it('shows problems of stores with links, and the load', async () => {
      const connectionParameters = { dbtype: 'postgis', host: '127.0.0.1', port: '1', database: 'none', user: 'none' };
      const store = { dataStore: { name: 'far', connectionParameters } };
      await client.server.post(`/workspaces/${shown.workspace}/datastores`, JSON.stringify(store));
      const { page } = await openSignedIn('operations/status');
      await page.waitForSelector('.status-good');
      await page.waitForSelector('.status-card .sparkline');
      await page.click('text=Also check the data of all stores');
      await page.waitForSelector('.status-bad');

      expect(await page.textContent('.status-health')).toContain('/workspaces/city/datastores/far');
      expect(await page.textContent('.status-sign')).toContain('/metrics');
      await page.waitForSelector('text=Worker threads');

      await publishUnverified('lost');
      await page.goto(new URL(`w/${shown.workspace}/layers/lost`, getRoot()).href);
      await page.waitForSelector('.layer > .notice-warning:has-text("far")');
      // Later tests find a server without problems.
      expect((await client.server.delete(`/workspaces/${shown.workspace}/datastores/far?recurse=true`)).status).toBe(
        200,
      );
    });

    it('fits on a phone and is reached by keyboard', async () => {
      const { page } = await openSignedIn('', { viewport: phone });
      await tabTo(page, '.rail-item[href$="operations/status"]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.status-good');
      await page.waitForSelector('.status-card');
      await tabTo(page, '.status-verdict .button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.status-good');

      expect(await findOverhang(page)).toBe(0);
    });
  });

  describe('configuration', () => {
    const createFile = (name: string, title = 'pier') => {
      const resources = [
        { kind: 'workspace', path: `/workspaces/${name}`, fields: { namespaceUri: `http://${title}` } },
        { kind: 'workspace', path: '/workspaces/fixed', fields: { isolated: true } },
      ];
      const document = JSON.stringify({ format: 'graticule-configuration/1', message: `add ${name}`, resources });
      return { name: 'configuration.json', mimeType: 'application/json', buffer: Buffer.from(document) };
    };

    it('plans a document, filters its steps, plans again after a change of others, and applies the plan', async () => {
      const { page } = await openSignedIn('operations/configuration');
      await page.setInputFiles('input[type=file]', createFile('quay'));
      await page.waitForSelector('.plan-group');
      expect(await page.textContent('.plan-counts')).toBe('+ 1 to create~ 1 to change− 0 to delete0 unchanged');
      await page.selectOption('.plan-filter >> nth=1 >> select', 'update');
      await page.click('.plan-details > summary');
      expect(await readCells(page)).toEqual([['isolated', 'false', 'true']]);

      await createWorkspace('meanwhile');
      await page.click('text=Apply these 2 steps');
      await page.waitForSelector('text=changed meanwhile');
      expect((await client.server.get('/workspaces/quay.json')).status).toBe(404);
      await page.click('text=Apply these 2 steps');
      await page.waitForSelector('.toast:has-text("2 steps are applied.")');
      await page.waitForSelector('.history-summary:text-is("add quay")');
      await page.click('.toast >> text=Undo');
      await expect.poll(async () => (await client.server.get('/workspaces/quay.json')).status).toBe(404);
    });

    it('plans and applies a document by keyboard only', async () => {
      const { page } = await openSignedIn('operations/configuration');
      // The browser must know early that the dialog is for the test: keys overtake the message.
      const chooser = page.waitForEvent('filechooser');
      await tabTo(page, '.drop-zone .button');
      await page.keyboard.press('Enter');
      await (await chooser).setFiles(createFile('slip'));
      await page.waitForSelector('.plan-group');
      await tabTo(page, '.plan-apply .button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.toast');

      expect((await client.server.get('/workspaces/slip.json')).status).toBe(200);
    });

    it('lists the errors of a document, and fits on a phone', async () => {
      const { page } = await openSignedIn('operations/configuration', { viewport: phone });
      const wrong = { format: 'graticule-configuration/1', resources: [{ kind: 'nothing', path: '/x', fields: {} }] };
      const buffer = Buffer.from(JSON.stringify(wrong));
      await dropFile(page, 'x.json', buffer.toString());
      expect(await page.textContent('[role=alert]')).toContain('nothing');
      expect(await page.locator('.drop-cover').count()).toBe(0);
      await page.setInputFiles('input[type=file]', createFile('mole'));
      await page.waitForSelector('.plan-apply');

      expect(await findOverhang(page)).toBe(0);
    });

    it('exports a workspace as a document', async () => {
      const { page } = await openSignedIn('operations/configuration');
      await page.selectOption('.plan-filter select', shown.workspace);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('button:has-text("Document (JSON)")'),
      ]);
      const stream = await download.createReadStream();
      let text = '';
      for await (const piece of stream) text += String(piece);

      expect(download.suggestedFilename()).toBe('city.json');
      expect((JSON.parse(text) as { readonly scope: readonly string[] }).scope).toEqual(['/workspaces/city']);
    });
  });

  it('exports an archive with encrypted secrets, and opens them with the passphrase only', async () => {
    const connectionParameters = { dbtype: 'postgis', host: '127.0.0.1', port: '1', database: 'd', passwd: 'sealed' };
    const store = { dataStore: { name: 'sealed', connectionParameters } };
    await client.server.post(`/workspaces/${shown.workspace}/datastores`, JSON.stringify(store));
    const { page } = await openSignedIn('operations/configuration');
    await page.fill('[name=export-passphrase]', 'four plain words here');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('button:text-is("Archive with files (ZIP)")'),
    ]);
    const buffer = await readStream(await download.createReadStream());
    const archive = { name: 'configuration.zip', mimeType: 'application/zip', buffer };
    await page.fill('[name=passphrase]', 'four other words here');
    await page.setInputFiles('.drop-zone input', archive);
    await page.waitForSelector('main [role=alert]');
    await page.fill('[name=passphrase]', 'four plain words here');
    await page.setInputFiles('.drop-zone input', archive);
    await page.waitForSelector('.plan-counts');

    expect(await page.textContent('.plan-counts')).toContain('0 to create~ 0 to change');
  });

  it('creates, changes and deletes a webhook, and marks a change of others above the form', async () => {
    const check = { regexUrlCheck: { name: 'hooks', regex: '^http://127\\.0\\.0\\.1:1/.*$', enabled: true } };
    await client.server.post('/urlchecks', JSON.stringify(check));
    const { page } = await openSignedIn('operations/webhooks');
    await page.click('text=New webhook');
    await page.fill('[name=name]', 'builds');
    await page.fill('[name=url]', 'http://elsewhere.example/hook');
    await page.click('button:text-is("Save")');
    expect(await page.textContent('.field-error, [role=alert]')).not.toBe('');
    await page.fill('[name=url]', 'http://127.0.0.1:1/hook');
    await page.fill('[name=secret]', 'a secret of this test');
    await page.click('button:text-is("Save")');
    await page.click('.webhook-name a');
    await page.waitForSelector('form[aria-label="Webhook builds"]');
    await page.fill('[name=kinds]', 'layer, style');
    await client.server.put('/webhooks/builds', '{"webhook":{"expand":true}}');
    await page.waitForSelector('text=admin has changed this');
    expect(await page.inputValue('[name=kinds]')).toBe('layer, style');
    await page.click('button:text-is("Save")');
    expect(await page.textContent('form [role=alert]')).toContain('If-Match failed');
    await page.click('button:text-is("Delete")');
    await page.waitForSelector('text=No webhooks yet');
  });

  it('changes the size of the tile cache, creates tiles and deletes them', async () => {
    const hidden = JSON.stringify({ GeoServerLayer: { expireClients: 77 } });
    expect((await client.server.post('/tilelayers/city:roads', hidden)).status).toBe(200);
    const { page } = await openSignedIn('operations/tiles');
    await page.fill('[name=limit]', '64');
    await page.click('button:text-is("Change")');
    await page.waitForSelector('.toast:has-text("maximum size is changed")');
    await page.fill('#tiles-layer', 'city:roads');
    await page.click('button:text-is("Choose")');
    await page.waitForSelector('[name=to]');
    await page.fill('[name=to]', '2');
    await page.click('button:text-is("Start")');
    await page.waitForSelector('.toast:has-text("The job is started.")');
    await page.fill('[name=gutter]', '3');
    await page.click('button:text-is("Save settings")');
    await page.waitForSelector('.toast:has-text("settings of city:roads are saved")');
    await page.selectOption('[name=type]', 'truncate');
    await page.click('button:text-is("Start")');
    await page.waitForSelector('.toast:has-text("The tiles are deleted.")');

    const { GeoServerLayer } = (await client.server.get('/tilelayers/city:roads.json')).json() as {
      readonly GeoServerLayer: { readonly gutter: number; readonly expireClients: number };
    };
    expect([GeoServerLayer.gutter, GeoServerLayer.expireClients]).toEqual([3, 77]);
  });

  it('downloads a backup', async () => {
    const { page } = await openSignedIn('operations/backups');
    await page.fill('[name=backup-passphrase]', 'four plain words here');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:text-is("Download")')]);
    const bytes = await readStream(await download.createReadStream());

    expect(bytes.subarray(0, 25).toString()).toBe('GRATICULE-SEALED-BACKUP-1');
  });

  it('moves in from the archive of a data directory: report, plan and apply', async () => {
    const { page } = await openSignedIn('operations/move-in');
    const buffer = packDirectory({ ...createSampleDirectory(), ...createUnsupportedFiles() });
    await page.setInputFiles('input[type=file]', { name: 'data.zip', mimeType: 'application/zip', buffer });
    await page.waitForSelector('.plan-apply');
    expect(await page.textContent('.operations-card .plan-counts')).toContain('Workspace: 3');
    expect(await page.locator('.move-entry').count()).toBeGreaterThan(5);
    await page.click('.plan-apply .button');
    await page.waitForSelector('.history-summary:text-is("move in from GeoServer")');
    await page.getByRole('button', { name: /^Show \d+ more/ }).click();
    await page.waitForSelector('text=The file is not a text.');
    const text = await page.textContent('main');

    expect(text).toContain('/styles/dots');
    // No ids of records, and no records that only count changes.
    expect(text).not.toMatch(/(?:workspace|style|layer|Store)-[\da-f]{16}|revision/);
    expect((await client.server.get('/workspaces/acme.json')).status).toBe(200);
  });

  it('explains an archive that is no data directory', async () => {
    const { page } = await openSignedIn('operations/move-in', { viewport: phone });
    const buffer = packDirectory({ 'notes.txt': 'x' });
    await page.setInputFiles('input[type=file]', { name: 'data.zip', mimeType: 'application/zip', buffer });

    expect(await page.textContent('[role=alert]')).toContain('Use the data directory of a GeoServer.');
    expect(await findOverhang(page)).toBe(0);
  });

  it('shows a data steward none of it, and requests none of it', async () => {
    const { page, requests } = await openSignedIn('', {}, steward);
    await page.waitForSelector('.home-card');
    expect(await page.locator('.rail >> text=Operations').count()).toBe(0);
    for (const name of ['status', 'history', 'history/3', 'configuration', 'webhooks', 'tiles', 'backups', 'move-in']) {
      await page.goto(new URL(`operations/${name}`, getRoot()).href);
      await page.waitForSelector('.empty-title:text-is("Your account lacks the rights for this")');
    }

    const refused = /history|doctor|configuration|webhooks|backup|metrics|gwc|system-status/;
    expect(requests.filter((request) => request.includes('/rest/') && refused.test(request))).toEqual([]);
  });

  describe('accessibility', () => {
    it.each([
      ['desktop', desktop],
      ['phone', phone],
    ] as const)('axe finds no violation on any page: %s', async (name, viewport) => {
      const changed = await describeRoads(`axe ${name}`);
      const { page } = await openSignedIn('', { viewport });
      await checkPages(page, [
        ['operations/history', '.history-row'],
        ['operations/history?who=nobody', '.empty'],
        [`operations/history/${changed}`, '.diff-fields'],
        ['operations/status', '.status-card'],
        ['operations/configuration', '.drop-zone'],
        ['operations/webhooks?form=new', 'form'],
        ['operations/tiles?layer=city:roads', '[name=gutter]'],
        ['operations/backups', 'form'],
        ['operations/move-in', '.drop-zone'],
        ['crs/EPSG:4326', '.crs-definition'],
      ]);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('roads');
      await page.waitForSelector('[role=option]:has-text("city:roads")');
      await checkAccessibility(page, 'search');
    });
  });
});

/** Types into the search, waits for its answer and opens the first result. */
async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.waitForSelector('[role=combobox]:focus');
  const answer = page.waitForResponse(/rest\/search/);
  await page.keyboard.insertText(text);
  await answer;
  await page.waitForSelector('[role=option][aria-selected=true]');
  await expect.poll(() => page.textContent('.search-foot')).toMatch(/result/);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.search-dialog', { state: 'detached' });
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** The cells of the first table of fields. */
function readCells(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.diff-fields tbody tr')].map((row) => [
    row.querySelector('th').textContent,
    ...[...row.querySelectorAll('.diff-value')].map((cell) => cell.textContent === '–' ? '' : cell.textContent),
  ])`);
}

async function readStream(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Drops a file on the place of the page, over which the cover of the window must not stay. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const send = (type, target) =>
      target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    send('dragover', document.body);
    const place = document.querySelector('.drop-zone');
    for (const type of ['dragover', 'drop']) send(type, place);
  })()`);
}
