/** Two users change the same resource: the second save is rejected, and nothing of the first one is lost. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { signIn, useConsoleBrowser } from '../support/console-browser.ts';
import { administrator, furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

const store = `/workspaces/${shown.workspace}/datastores/data`;
const group = `/workspaces/${shown.workspace}/layergroups/base`;

describeWithTool('chromium', 'drafts in the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const browser = useConsoleBrowser(getRoot);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
    const published = [{ '@type': 'layer', name: `${shown.workspace}:${shown.layer}` }];
    await client.server.post(
      `/workspaces/${shown.workspace}/layergroups`,
      JSON.stringify({ layerGroup: { name: 'base', title: 'Base', publishables: { published } } }),
    );
  });

  const open = async (address: string) => {
    const { page } = await browser.open(address);
    const stream = page.waitForResponse((reply) => reply.url().endsWith('/rest/events'));
    await signIn(page, administrator);
    await stream;
    return page;
  };
  /** Waits until the page has read the resource again after the change of the other user. */
  const changeMeanwhile = async (page: Page, path: string, document: object) => {
    const read = page.waitForResponse((reply) => reply.url().includes(`/rest${path}`) && reply.status() === 200);
    await client.server.put(path, JSON.stringify(document));
    await (await read).finished();
  };

  describe('of a store', () => {
    it('are refused if another user has saved it since the form was opened', async () => {
      const page = await open(`w/${shown.workspace}/stores/data`);
      await page.click("button:text-is('Edit')");
      await page.waitForSelector('dialog form');
      await changeMeanwhile(page, store, { dataStore: { description: 'of another user' } });
      await page.click('dialog [type=submit]');
      await page.waitForSelector('dialog .notice-error');

      expect((await client.server.get(`${store}.json`)).text).toContain('of another user');
    });
  });

  it('of a workspace are refused if another user has saved it, and Discard shows that version', async () => {
    const namespace = `/namespaces/${shown.workspace}`;
    const page = await open(`workspaces/${shown.workspace}`);
    await page.fill('[name=uri]', 'http://mine');
    await changeMeanwhile(page, namespace, { namespace: { uri: 'http://theirs' } });
    await page.click("button:text-is('Save')");
    await page.waitForSelector('.workspaces-form .notice-error');
    expect((await client.server.get(`${namespace}.json`)).text).toContain('http://theirs');
    expect(await page.inputValue('[name=uri]')).toBe('http://mine');
    await page.click("button:text-is('Discard')");

    await expect.poll(() => page.inputValue('[name=uri]')).toBe('http://theirs');
    await page.fill('[name=uri]', 'http://city');
    await page.click("button:text-is('Save')");
    await page.waitForSelector('.toast >> text=Saved.');
  });

  it('of tile settings are refused if another user has saved them', async () => {
    const path = `/tilelayers/${shown.workspace}:${shown.layer}`;
    await client.server.put(path, JSON.stringify({ GeoServerLayer: { gutter: 1 } }));
    const page = await open(`operations/tiles?layer=${shown.workspace}:${shown.layer}`);
    await page.fill('[name=gutter]', '5');
    await changeMeanwhile(page, path.replace(':', '%3A'), { GeoServerLayer: { gutter: 2 } });
    await page.click("button:text-is('Save settings')");
    await page.waitForSelector('.operations-card .notice-error');

    expect((await client.server.get(`${path}.json`)).text).toContain('"gutter":2');
  });

  it('stay on the page while the server cannot answer', async () => {
    const page = await open(`w/${shown.workspace}/layers/${shown.layer}?tab=publish`);
    const title = page.getByLabel('Title', { exact: true });
    await title.fill('Mine');
    let failures = 0;
    await page.route('**/rest/workspaces/**', (route) => {
      failures += 1;
      return route.fulfill({
        status: 503,
        headers: { 'retry-after': '7' },
        json: { status: 503, detail: 'Overloaded.' },
      });
    });
    await page.click("button:text-is('Save')");
    await page.waitForSelector('.publishing .notice-error:has-text("Overloaded.")');
    // A change of another user makes the page read its documents again.
    const type = `${store}/featuretypes/${shown.layer}`;
    const last = failures;
    await client.server.put(type, JSON.stringify({ featureType: { abstract: 'Theirs' } }));
    await expect.poll(() => failures).toBeGreaterThan(last);
    expect(await title.inputValue()).toBe('Mine');
    await page.unrouteAll();

    await page.click("button:text-is('Keep my changes')");
    await page.click("button:text-is('Save')");
    await page.waitForSelector('.toast >> text=is saved.');
    expect((await client.server.get(`${type}.json`)).text).toContain('"title":"Mine"');
  });

  describe('of a layer group', () => {
    it('are refused if another user has saved it, and Discard shows that version', async () => {
      const page = await open(`w/${shown.workspace}/groups/base`);
      const title = page.getByLabel('Title', { exact: true });
      await title.fill('Mine');
      await changeMeanwhile(page, group, { layerGroup: { title: 'Theirs' } });
      await page.click('.group-side [type=submit]');
      await page.waitForSelector('.group-side .notice-error');
      expect((await client.server.get(`${group}.json`)).text).toContain('"title":"Theirs"');
      await page.click("button:text-is('Discard')");

      expect(await title.inputValue()).toBe('Theirs');
    });
  });
});
