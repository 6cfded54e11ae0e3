/** What the console requests when it is opened. */
import { beforeAll, expect, it } from 'vitest';
import { signIn, useConsoleBrowser } from '../support/console-browser.ts';
import { administrator, furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** Any other request would be sent in this time. */
const QUIET_MS = 500;

const layer = `w/${shown.workspace}/layers/${shown.layer}`;

describeWithTool('chromium', 'the first view', () => {
  const client = useSocketClient();
  const { open, openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
  });

  it.each(['en', 'de'])(
    'of the list of layers has at most 8 requests, from the sign-in to the rows: %s',
    async (language) => {
      const { page, requests } = await open('layers', { language });
      let untilRows: readonly string[] = [];
      // A request that does not wait for the rows is sent before their answer.
      await page.route('**/rest/layers?*', async (route) => {
        await page.waitForTimeout(QUIET_MS);
        untilRows = [...requests];
        await route.continue();
      });
      await signIn(page, administrator);
      await page.waitForSelector('tr[data-index="0"] a');

      expect(untilRows.map(withoutHash)).toEqual([
        'GET /console/layers',
        'GET /console/assets/style.css',
        'GET /console/assets/chunk.js',
        `GET /console/assets/${language}.js`,
        'GET /rest/security/signin',
        'GET /rest/security/self',
        'POST /rest/security/self/tokens',
        'GET /rest/layers?details=true&limit=200&count=true',
      ]);
    },
  );

  it.each([
    ['the map of a layer', layer, 'main:has(.map-canvas[data-state=drawn]) .map-actions >> text=Edit'],
    ['the editor of features', `${layer}?panel=edit`, '.edit-new'],
    ['the rows of a layer', `${layer}?tab=data`, '.data-table td'],
    ['the style of a layer', `${layer}?tab=style`, '.swatch[data-drawn]'],
    ['the access to a layer', `${layer}?tab=access`, 'table td'],
    ['the options of a layer', `${layer}?tab=publish`, '.publishing-sections'],
    ['the styles', 'styles', '.swatch[data-drawn]'],
    ['the editor of a style', 'styles/polygon', '.map-canvas[data-state=drawn]'],
    ['the editor of a style in a workspace', `w/${shown.workspace}/styles/red`, '.map-canvas[data-state=drawn]'],
  ])('of %s sends no request that the server refuses', async (_, address, complete) => {
    const { page } = await openSignedIn('about');
    const refused: string[] = [];
    page.on('response', (reply) => {
      if (reply.status() >= 400) refused.push(`${reply.status()} ${reply.request().method()} ${reply.url()}`);
    });
    await page.goto(new URL(address, page.url()).href);
    await page.waitForSelector(complete);

    expect(refused).toEqual([]);
  });
});

function withoutHash(request: string): string {
  return request.replace(/-[A-Z0-9]{8}\./, '.');
}
