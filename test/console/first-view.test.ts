/** What pages request when they are opened. */
import { beforeAll, expect, it } from 'vitest';
import { useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

const layer = `w/${shown.workspace}/layers/${shown.layer}`;

describeWithTool('chromium', 'the first view', () => {
  const client = useSocketClient();
  const { openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
  });

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
