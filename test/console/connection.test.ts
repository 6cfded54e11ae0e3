/** The console without a connection to the server. */
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/console-axe.ts';
import { useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('chromium', 'the console without a connection', () => {
  const client = useSocketClient();
  const { openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
  });

  it('keeps what was read, rejects changes, and continues when the server answers', async () => {
    const { page, context, requests } = await openSignedIn(`workspaces/${shown.workspace}`);
    await page.click('.rail >> text=Data');
    await page.click('.tabs >> text=Workspaces');
    await page.click('button >> text=New workspace');
    await page.fill('[name=name]', 'later');
    await context.setOffline(true);
    await page.waitForSelector('.shell-offline >> text=No connection to the server');

    await page.waitForSelector(`.data-list >> text=${shown.workspace}`);
    const filter = await page.evaluate(`getComputedStyle(document.querySelector('.data-page')).filter`);
    expect(filter).toBe('grayscale(1)');
    const submit = page.locator('dialog button[type=submit]');
    expect(await submit.getAttribute('aria-disabled')).toBe('true');
    expect(await submit.getAttribute('title')).toBe('Not possible without a connection to the server');
    const reason = await submit.getAttribute('aria-describedby');
    expect(await page.textContent(`#${reason}`)).toMatch(/read at .+ or before/);
    await checkAccessibility(page, 'a page without a connection', { part: 'page' });
    await page.press('[name=name]', 'Enter');
    await submit.click({ force: true });
    expect(requests.filter((request) => /^(POST|PUT) .*\/rest\/(workspaces|namespaces)/.test(request))).toEqual([]);

    await context.setOffline(false);
    await page.waitForSelector('main:not([data-offline])');
    expect(await page.inputValue('[name=name]')).toBe('later');
    await submit.click();
    await page.waitForSelector('h1 >> text=later');
    expect(await page.textContent('.shell-offline')).toBe('');
  });

  it('rejects changes that no button sends, without a request', async () => {
    const { page, requests } = await openSignedIn('workspaces?new=1');
    await page.fill('[name=name]', 'never');
    await page.route('**/rest/**', (route) => route.abort());
    await page.evaluate('dispatchEvent(new Event("offline"))');
    await page.waitForSelector('main[data-offline]');
    await page.evaluate(`document.querySelector('dialog form').requestSubmit()`);

    await page.waitForSelector('dialog [role=alert] >> text=No connection to the server');
    expect(requests.filter((request) => /^(POST|PUT) .*\/rest\/(workspaces|namespaces)/.test(request))).toEqual([]);
    await page.unroute('**/rest/**');
    await page.waitForSelector('main:not([data-offline])');
  });
});
