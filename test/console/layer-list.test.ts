/** The list of layers in a browser: who can read each layer, and changes of several layers at once. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAccessibility } from '../support/console-axe.ts';
import { findOverhang, phone, setTheme, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { addUser } from '../support/test-users.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('chromium', 'the list of layers', () => {
  const client = useSocketClient();
  const { openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  let steward: readonly string[];
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
  });

  it('shows who can read each layer, with one request, and opens the rules behind it', async () => {
    const { page, requests } = await openSignedIn('layers');
    await page.waitForSelector('.layers-access');

    expect(await page.locator('.layers-access').allTextContents()).toEqual(['Public', 'Hidden']);
    expect(requests.filter((request) => request.includes('acl'))).toEqual([]);
    await page.click('tr[data-index="1"] .layers-access');
    await page.waitForSelector('.tabs [aria-current=page]:has-text("Access")');
    expect(page.url()).toContain(`w/${SECRET_WORKSPACE}/layers/stands?tab=access`);
  });

  it('shows it after a change of the rules without a reload', async () => {
    const { page } = await openSignedIn('layers');
    await page.waitForSelector('.layers-access-public');
    const rule = `${shown.workspace}.${shown.layer}.r`;
    await client.server.post('/security/acl/layers', JSON.stringify({ [rule]: 'CITY' }), { type: 'json' });
    await page.waitForSelector('.layers-access-public', { state: 'detached' });

    expect(await page.locator('.layers-access').allTextContents()).toEqual(['Hidden', 'Hidden']);
    await client.server.delete(`/security/acl/layers/${rule}`);
  });

  it('shows it in the cards of a phone, to data stewards without links to rules', async () => {
    const { page } = await openSignedIn('layers', { viewport: phone }, steward);
    await page.waitForSelector('.layers-access >> text=Public');

    expect(await page.locator('a.layers-access').count()).toBe(0);
    expect(await findOverhang(page)).toBe(0);
    await setTheme(page, 'dark');
    await checkAccessibility(page, 'cards');
  });

  it('has its request for the command line, and lists its changes only', async () => {
    const { page } = await openSignedIn(`w/${shown.workspace}/layers?q=roads`);
    await page.click('.page-tools .menu-button');
    await page.waitForSelector('.page-tools .menu-panel:popover-open');
    const curl = await page.textContent('.page-tools .copy-line-text');
    await page.keyboard.press('Escape');
    await page.click('.page-tools a');
    await page.waitForSelector('.history-list a, .history-row a, main table a');

    expect(curl).toMatch(
      /^curl -u USER '.*\/rest\/workspaces\/city\/layers\?details=true&q=roads&limit=200&count=true'$/,
    );
    expect(new URL(page.url()).searchParams.get('path')).toBe(`/workspaces/${shown.workspace}`);
    expect(await page.textContent('main')).not.toContain(SECRET_WORKSPACE);
  });

  it('shows a request that the server answers, like other lists and the pages of operations', async () => {
    const { page } = await openSignedIn('help');
    const w = `w/${shown.workspace}`;
    const clocks: (string | null)[] = [];
    const addresses = [
      ...['stores', `${w}/stores`, 'groups', `${w}/groups`, 'groups?q=a', 'workspaces?q=c', 'operations/webhooks'],
      ...['operations/status', 'operations/history?kind=style', 'operations/tiles'],
    ];
    for (const address of addresses) {
      await page.goto(new URL(address, `http://127.0.0.1:${client.port}/geoserver/console/`).href);
      await page.click('.page-tools .menu-button');
      const curl = await page.textContent('.page-tools .copy-line-text');
      const path = /^curl -u USER '.*\/rest(\/.*)'$/.exec(curl ?? '')?.[1];
      expect({ address, status: (await client.server.get(path ?? '')).status }).toEqual({ address, status: 200 });
      const clock = page.locator('.page-tools a');
      clocks.push((await clock.count()) === 0 ? null : await clock.getAttribute('href'));
      expect({ address, overhang: await findOverhang(page) }).toEqual({ address, overhang: 0 });
    }
    const paths = clocks.map((each) => each && new URL(each, 'http://server').searchParams.get('path'));
    const workspace = `/workspaces/${shown.workspace}`;
    expect(paths).toEqual([
      ...[null, workspace, '/layergroups', `${workspace}/layergroups`, '/layergroups', '/workspaces', '/webhooks'],
      ...[null, null, null],
    ]);
  });

  describe('changes several layers at once', () => {
    const names = ['first', 'fourth', 'second', 'third'];
    const list = 'w/many/layers';
    const readLayers = async () => {
      const { layers } = (await client.server.get('/workspaces/many/layers.json?limit=10&details=true')).json() as {
        layers: '' | { layer: { name: string; enabled: boolean; defaultStyle: string }[] };
      };
      return layers === '' ? [] : layers.layer.map(({ name, enabled, defaultStyle }) => [name, enabled, defaultStyle]);
    };
    const all = (enabled: boolean, style: string) => names.map((name) => [name, enabled, style]);
    const box = (index: number) => `tr[data-index="${index}"] .vtable-box input`;
    const waitForPlan = (page: Page) => page.waitForSelector('.bulk-plan .delete-list');
    const undo = async (page: Page) => {
      await page.click('.toast >> text=Undo');
      await page.waitForSelector('.toast >> text=is undone');
    };
    let owner: readonly string[];
    beforeAll(async () => {
      const rows = [[wkt('POLYGON ((0 0, 1 0, 1 1, 0 0))')]];
      await publishTables(
        client.server,
        'many',
        names.map((name) => ({ name, attributes: [geometryColumn('Polygon')], rows })),
      );
      owner = (await addUser(client.server, 'owner', 'OWNER')).split(':');
      await client.server.post('/security/acl/layers', JSON.stringify({ 'many.*.a': 'OWNER' }), { type: 'json' });
    });

    it('by mouse: a range with Shift, one change after a dry run, and one Undo', async () => {
      const { page, requests } = await openSignedIn(list);
      await page.click(box(1));
      await page.click(box(3), { modifiers: ['Shift'] });
      await page.waitForSelector('.bulk-count:text-is("3 layers selected")');
      await page.click('.bulk-actions >> text=Disable');
      await waitForPlan(page);
      expect(await page.locator('.bulk-plan li').allTextContents()).toEqual(
        names.slice(1).map((name) => `Changed many/datastores/data/featuretypes/${name}`),
      );
      expect(await readLayers()).toEqual(all(true, 'polygon'));
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.toast >> text=3 layers disabled.');
      await page.waitForSelector('tr[data-index="3"] .badge-off');

      expect(await readLayers()).toEqual(names.map((name, index) => [name, index === 0, 'polygon']));
      expect(requests.filter((request) => /^(?:PUT|POST) .*rest\/(?!events|security)/.test(request))).toEqual([
        'POST /rest/batch?dryRun=true',
        'POST /rest/batch',
      ]);
      expect(await page.locator('.bulk').isVisible()).toBe(false);
      await undo(page);
      expect(await readLayers()).toEqual(all(true, 'polygon'));
    });

    it('by keyboard: all that match the filter get another default style', async () => {
      const { page } = await openSignedIn(`${list}?q=ir`);
      await page.waitForSelector('.list-count:text-is("2 layers")');
      await page.focus('tr[data-index="0"] .layers-name');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Shift+Space');
      await page.waitForSelector('.bulk-count:text-is("2 layers selected")');
      await page.focus('.bulk-actions button >> nth=2');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog [name=style]');
      await page.focus('dialog [name=style]');
      await page.keyboard.type('lin');
      await page.waitForSelector('dialog .combobox-option[aria-selected=true]');
      await page.keyboard.press('Enter');
      await waitForPlan(page);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.toast >> text=The default style of 2 layers is set.');

      expect(await readLayers()).toEqual(names.map((name) => [name, true, name.includes('ir') ? 'line' : 'polygon']));
      await undo(page);
    });

    it('on a phone, as a data steward: deletes all after it has shown what else is deleted', async () => {
      const { page } = await openSignedIn(list, { viewport: phone }, owner);
      await page.click(box(0));
      await page.click('text=Select all 4 layers');
      await page.waitForSelector('.bulk-count:text-is("4 layers selected")');
      expect(await findOverhang(page)).toBe(0);
      await checkAccessibility(page, 'selection');
      await page.click('.bulk-actions >> text=Delete');
      await waitForPlan(page);
      await checkAccessibility(page, 'plan', { part: 'dialog' });
      expect(await page.locator('.bulk-plan li').count()).toBe(8);
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.toast >> text=4 layers deleted.');

      expect(await readLayers()).toEqual([]);
      await page.waitForSelector('.empty');
      const { change } = await readLastChange();
      expect((await client.server.post(`/history/${change}/undo`, '')).status).toBe(200);
      expect(await readLayers()).toHaveLength(4);
    });

    it('moves layers with their stores, and says why a workspace is refused', async () => {
      const { page } = await openSignedIn(list, {}, owner);
      await page.click(box(0));
      await page.click('.bulk-actions >> text=Move');
      await page.fill('dialog [name=workspace]', SECRET_WORKSPACE);
      await page.keyboard.press('Tab');
      await page.waitForSelector('dialog [role=alert]');
      expect(await page.locator('dialog [type=submit]').getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Escape');

      await client.server.post('/workspaces', '{"workspace":{"name":"target"}}');
      const { page: other } = await openSignedIn(list);
      await other.click(box(0));
      await other.click('.bulk-actions >> text=Move');
      await other.fill('dialog [name=workspace]', 'target');
      await other.keyboard.press('Tab');
      await waitForPlan(other);
      expect(await other.textContent('.bulk-plan')).toContain('target/layers/third');
      await other.click('dialog [type=submit]');
      await other.waitForSelector('.toast >> text=1 layer moved.');
      expect(await readLayers()).toEqual([]);
      await undo(other);
      expect(await readLayers()).toHaveLength(4);
    });

    async function readLastChange() {
      const { changes } = (await client.server.get('/history?limit=1')).json() as { changes: { sequence: number }[] };
      return { change: changes[0]?.sequence };
    }
  });
});
