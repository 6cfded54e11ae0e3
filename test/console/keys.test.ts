/** The keys of the console: those of its list, the two commands, and the switch for single letters. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

const layer = `w/${shown.workspace}/layers/${shown.layer}`;

describeWithTool('chromium', 'keys of the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
  });

  const press = async (page: Page, ...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const readTitle = async () => {
    const path = `/workspaces/${shown.workspace}/datastores/data/featuretypes/${shown.layer}.json`;
    const { featureType } = (await client.server.get(path)).json() as {
      featureType: { title: string; abstract: string };
    };
    return [featureType.title, featureType.abstract];
  };

  it('do what their list says', async () => {
    const { page } = await openSignedIn('help');
    await page.waitForSelector('.help-links');
    const steps: readonly (readonly [keys: readonly string[], result: string])[] = [
      [['g', 'l'], '.list-head h1:text-is("Layers")'],
      [['g', 's'], '.gallery-head'],
      [['g', 'h'], '.operations-tabs, .tabs >> text=History'],
      [['g', 'd'], 'h1:has-text("Welcome")'],
      [['/'], 'dialog[open] [role=combobox]'],
      [['Escape', 'Control+k'], 'dialog[open] [role=combobox]'],
      [['Escape', 'n'], '.menu-panel:popover-open >> text=Connect PostGIS'],
      [['Escape', '?'], 'dialog[open] .key-list'],
    ];
    for (const [keys, result] of steps) {
      await press(page, ...keys);
      await page.waitForSelector(result);
    }
    const listed = await page.locator('dialog .key-list kbd').allTextContents();
    await press(page, 'Escape');
    await page.waitForSelector('dialog[open]', { state: 'detached' });

    expect(listed).toEqual(
      expect.arrayContaining(['/', 'Ctrl+K', 'f', 'n', 'e', 'p', 'Space', 'Ctrl+S', 'Ctrl+Enter', 'Esc', '?']),
    );
    await press(page, 'g', 'l');
    await page.waitForSelector('tr[data-index="0"] .layers-name');
    await press(page, 'f');
    await page.waitForSelector('main input[type=search]:focus');
    await press(page, 'Tab');
    await page.waitForSelector('tr[data-index="0"] :focus');
    await press(page, 'p');
    await page.waitForSelector('.map-canvas[data-state=drawn]');
    await page.focus('h1, main');
    await press(page, 'e');
    await page.waitForSelector('[data-key=e][aria-pressed=true]');
  });

  it('of a single letter can be switched off, also for the next visit', async () => {
    const { page } = await openSignedIn('layers');
    await page.waitForSelector('tr[data-index="0"] .layers-name');
    await page.click('.top-bar .menu-button >> nth=-1');
    await page.click('text=Single-letter shortcuts');
    await press(page, 'Escape');
    await page.reload();
    await page.waitForSelector('tr[data-index="0"] .layers-name');
    await page.focus('tr[data-index="0"] .layers-name');
    await press(page, 'p', 'n', 'g', 's', '?', '/');
    await press(page, 'Control+k');
    await page.waitForSelector('dialog[open] [role=combobox]');

    expect(page.url()).toBe(new URL('layers', getRoot()).href);
    expect(await page.locator('dialog .key-list, .menu-panel:popover-open').count()).toBe(0);
    await press(page, 'Escape');
    await page.click('.top-bar .menu-button >> nth=-1');
    await page.click('text=Single-letter shortcuts');
    await press(page, 'Escape');
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  describe('Ctrl+S', () => {
    it('saves the publishing options, and Ctrl+Enter confirms several of them', async () => {
      const { page } = await openSignedIn(`${layer}?tab=publish`);
      await page.waitForSelector('[name=title]');
      const before = await readTitle();
      await page.fill('[name=title]', 'By key');
      await press(page, 'Control+s');
      await page.waitForSelector('.toast >> text=Undo');
      expect((await readTitle())[0]).toBe('By key');

      await page.fill('[name=title]', before[0] ?? '');
      await page.fill('[name=abstract]', 'Two fields');
      await press(page, 'Control+s');
      await page.waitForSelector('dialog[open]');
      await press(page, 'Control+Enter');
      await page.waitForSelector('dialog[open]', { state: 'detached' });
      await expect.poll(readTitle).toEqual([before[0], 'Two fields']);
    });
  });

  describe('Ctrl+Enter', () => {
    it('applies a filter and leaves the focus in it', async () => {
      const { page } = await openSignedIn(layer);
      await page.fill('.filter-box-input', 'rank < 3');
      await press(page, 'Control+Enter');
      await page.waitForSelector('.filter-box-count:has-text("3")');

      expect(page.url()).toContain('filter=rank');
      expect(await page.locator('.filter-box-input:focus').count()).toBe(1);
    });

    it('applies the plan of a configuration', async () => {
      const { page } = await openSignedIn('operations/configuration');
      const resources = [{ kind: 'workspace', path: '/workspaces/planned', fields: {} }];
      const buffer = Buffer.from(JSON.stringify({ format: 'graticule-configuration/1', resources }));
      await page.waitForSelector('input[type=file]', { state: 'attached' });
      await page.setInputFiles('input[type=file] >> nth=0', {
        name: 'plan.json',
        mimeType: 'application/json',
        buffer,
      });
      await page.waitForSelector('.plan-apply');
      await press(page, 'Control+Enter');
      await page.waitForSelector('.toast >> text=Undo');

      expect((await client.server.get('/workspaces/planned.json')).status).toBe(200);
    });

    it('checks a style at once, without a new line', async () => {
      await client.server.post('/styles?name=keyed', '* { fill: red; }', {
        type: 'application/vnd.graticule.geocss+css',
      });
      const { page, requests } = await openSignedIn('styles/keyed');
      await page.waitForSelector('.style-text[data-state=ready]');
      await page.waitForSelector('.preview-map[data-state=drawn], .map-canvas[data-state=drawn], .style-head');
      const countChecks = () => requests.filter((each) => /PUT .*styles\/keyed.*dryRun/.test(each)).length;
      await expect.poll(countChecks).toBe(1);
      await page.click('.style-text .cm-content');
      await press(page, 'Control+Enter');
      await expect.poll(countChecks).toBe(2);

      expect(await page.locator('.style-text .cm-line').count()).toBe(1);
    });
  });
});
