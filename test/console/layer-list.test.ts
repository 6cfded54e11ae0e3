/** The list of layers in a browser: who can read each layer. */
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/console-axe.ts';
import { findOverhang, phone, setTheme, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
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
});
