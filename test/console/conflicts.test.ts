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
