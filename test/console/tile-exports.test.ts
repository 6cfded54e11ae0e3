/** Tile exports in the console: start with an estimate, progress, cancellation, download and deletion. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/console-axe.ts';
import { findOverhang, phone, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { addUser } from '../support/test-users.ts';
import { describeWithTool } from '../support/with-tool.ts';

const panel = `w/${shown.workspace}/layers/${shown.layer}?panel=use`;

describeWithTool('chromium', 'tile exports in the console', () => {
  const client = useSocketClient();
  const { openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  let steward: readonly string[];
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
  });

  const readExports = async () => {
    const { tileExports } = (await client.server.get('/tileexports.json')).json() as {
      tileExports: '' | { tileExport: { name: string; state: string; layer: string }[] };
    };
    return tileExports === '' ? [] : tileExports.tileExport;
  };

  it('say that the layer changed, and that features are missing', async () => {
    const { page } = await openSignedIn('help');
    const tileExport = {
      ...{ name: '1', layer: `${shown.workspace}:${shown.layer}`, state: 'finished', archive: 'pmtiles' },
      ...{ format: 'image/png', bytes: 9, tilesTotal: 5, tilesDone: 5, tilesIncomplete: 2, layerChanged: true },
      ...{ created: '2026-01-01T00:00:00Z', createdBy: 'admin' },
    };
    await page.route('**/rest/**/tileexports*', (route) =>
      route.fulfill({ json: { tileExports: { tileExport: [tileExport] } } }),
    );
    await page.goto(new URL(`../console/${panel}`, page.url()).href);

    const problems = page.locator('.tile-export-problem');
    await expect
      .poll(() => problems.allTextContents())
      .toEqual([
        'The layer changed during the export: it has tiles from before and after. Start another export.',
        'Some features are missing in 2 tiles: reading them took too long.',
      ]);
  });

  it('are estimated, started, downloaded and deleted by mouse', async () => {
    const { page } = await openSignedIn(panel);
    await page.click('text=Export tiles…');
    await page.waitForSelector('dialog .tile-export-estimate:has-text("tiles.")');
    await page.fill('dialog [name=zoomStop]', '1');
    await page.fill('dialog [name=west]', '1');
    await page.fill('dialog [name=south]', '1');
    await page.waitForSelector('dialog .tile-export-estimate:text-is("2 tiles.")');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('.toast >> text=has started');
    await page.waitForSelector('.tile-export:has-text("Finished")');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.tile-export-actions >> text=Download'),
    ]);
    const bytes = await readFile(await download.path());

    expect(download.suggestedFilename()).toBe(`${shown.layer}.pmtiles`);
    expect(bytes.subarray(0, 7).toString()).toBe('PMTiles');
    await page.click('.tile-export-actions >> text=Delete');
    await page.waitForSelector('.tile-export', { state: 'detached' });
    expect(await readExports()).toEqual([]);
  });

  it('show errors at their fields, and are cancelled by data stewards on a phone', async () => {
    const { page } = await openSignedIn(panel, { viewport: phone }, steward);
    await page.click('text=Export tiles…');
    await page.fill('dialog [name=zoomStop]', '99');
    await page.waitForSelector('dialog .tile-export-estimate:has-text("expected an integer")');
    await page.click('dialog [type=submit]');
    await page.waitForSelector('dialog [name=zoomStop][aria-invalid=true]:focus');
    await checkAccessibility(page, 'dialog with an error', { part: 'dialog' });
    await page.fill('dialog [name=zoomStop]', '10');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.tile-export progress');
    expect(await findOverhang(page)).toBe(0);
    await checkAccessibility(page, 'panel');
    await page.click('.tile-export-actions >> text=Cancel');
    await page.waitForSelector('.tile-export:has-text("Cancelled")');

    expect((await readExports()).map(({ state, layer }) => [state, layer])).toEqual([
      ['cancelled', `${shown.workspace}:${shown.layer}`],
    ]);
  });

  it('are listed for all layers on the page of tiles; files over 200 MB have a curl line', async () => {
    const { page } = await openSignedIn('help');
    await page.route('**/rest/tileexports', async (route) => {
      const reply = await route.fetch();
      const { tileExports } = (await reply.json()) as { tileExports: { tileExport: object[] } };
      const [first] = tileExports.tileExport;
      const large = { ...first, name: 'large', state: 'finished', bytes: 300_000_000 };
      await route.fulfill({ json: { tileExports: { tileExport: [first, large] } } });
    });
    await page.goto(`http://127.0.0.1:${client.port}/geoserver/console/operations/tiles`);
    await page.waitForSelector('.tile-export:has-text("Finished") code, .tile-export:has-text("Finished") pre');

    const text = (await page.textContent('.tile-export:has-text("Finished")')) ?? '';
    expect(text).toContain(`${shown.workspace}:${shown.layer} · PMTiles`);
    expect(text).toContain(`curl -C - -u USER -o '${shown.layer}.pmtiles'`);
    expect(text).toContain('/rest/tileexports/large/file');
  });

  it('are not offered to users who administer nothing', async () => {
    const reader = (await addUser(client.server, 'rita', 'READER')).split(':');
    const { page, requests } = await openSignedIn(panel, {}, reader);
    await page.waitForSelector('.use-panel >> text=Download');

    expect(await page.locator('text=Export tiles…').count()).toBe(0);
    expect(requests.filter((request) => request.includes('tileexports'))).toEqual([]);
  });
});
