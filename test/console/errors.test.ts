/** What pages of the console say about errors: who deleted an object, when to try again, and what to quote. */
import { beforeAll, expect, it } from 'vitest';
import { checkAccessibility } from '../support/console-axe.ts';
import { useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('chromium', 'errors in the console', () => {
  const client = useSocketClient();
  const { openSignedIn } = useConsoleBrowser(() => `http://127.0.0.1:${client.port}/geoserver/console/`);
  let steward: readonly string[];
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
  });

  it('name who deleted an object, and undo it', async () => {
    const path = `w/${shown.workspace}/layers/${shown.layer}`;
    await client.server.delete(`/workspaces/${shown.workspace}/layers/${shown.layer}?recurse=true`);
    const { page } = await openSignedIn(path);
    await page.waitForSelector('[role=alert] >> text=admin deleted it');
    await checkAccessibility(page, 'a deleted layer', { part: 'page' });
    await page.click('[role=alert] >> text=Undo');
    await page.waitForSelector('.map-canvas[data-state=drawn]');

    expect(await page.textContent('h1')).toBe(shown.title);
    const { page: other, requests } = await openSignedIn(`w/${shown.workspace}/layers/nowhere`, {}, steward);
    await other.waitForSelector('[role=alert] >> text=No such layer');
    expect(requests.filter((request) => request.includes('history'))).toEqual([]);
  });

  it('of the doctor link to the resource on the home page, and to all of them', async () => {
    const { page } = await openSignedIn('help');
    const path = `/workspaces/${shown.workspace}/layers/${shown.layer}`;
    const problems = Array.from({ length: 6 }, (_, index) => ({
      path,
      code: `c${index}`,
      message: `Problem ${index}`,
    }));
    await page.route('**/rest/doctor', (route) => route.fulfill({ json: { healthy: false, checks: [], problems } }));
    await page.click('.rail >> text=Home');
    await page.waitForSelector('.home-problems >> text=All problems');
    await page.click('.home-problems a >> nth=0');

    await page.waitForSelector('.map-canvas[data-state=drawn]');
    expect(await page.textContent('h1')).toBe(shown.title);
  });

  it('count down to the next try', async () => {
    const { page } = await openSignedIn('help');
    const problem = { status: 429, code: 'too-many', title: 'Too Many Requests', detail: 'Slow down.' };
    const headers = { 'retry-after': '2', 'content-type': 'application/problem+json' };
    await page.route('**/rest/layers?*', (route) =>
      route.fulfill({ status: 429, headers, body: JSON.stringify(problem) }),
    );
    await page.click('.rail >> text=Data');
    await page.waitForSelector('[role=alert] >> text=Try again in 1 second.');
    await page.waitForSelector('[role=alert] >> text=You can try again now.');
    await page.unroute('**/rest/layers?*');
    await page.click('[role=alert] >> text=Try again >> nth=-1');

    await page.waitForSelector('tr[data-index="0"] .layers-name');
    expect(await page.locator('[role=alert]').count()).toBe(0);
  });

  it('show the title and the detail of unknown problems, and words of the console for bare statuses', async () => {
    const { page } = await openSignedIn('help');
    const send = (status: number, title: string) =>
      page.route('**/rest/layers?*', (route) =>
        route.fulfill({
          ...{ status, headers: { 'content-type': 'application/problem+json' } },
          body: JSON.stringify({ status, code: 'quota-used-up', title, detail: 'The quota is used up.' }),
        }),
      );
    await send(403, 'Quota used up');
    await page.click('.rail >> text=Data');
    await page.waitForSelector('[role=alert] >> text=The quota is used up.');
    expect(await page.textContent('[role=alert] .notice-title')).toBe('Quota used up');

    await page.unroute('**/rest/layers?*');
    await send(409, 'Conflict');
    await page.click('[role=alert] >> text=Try again');
    await page.waitForSelector('.notice-title >> text=The request failed');
  });

  it('show the request id to copy, and links to what blocks a change', async () => {
    const { page } = await openSignedIn('help');
    const problem = {
      ...{ status: 500, code: 'unexpected', title: 'Error', detail: 'It failed.', requestId: 'r-17' },
      blockers: ["layer group 'city:base'", "layer group 'all'", "style 'city:a b'", 'something else'],
    };
    const headers = { 'content-type': 'application/problem+json' };
    await page.route('**/rest/layers?*', (route) =>
      route.fulfill({ status: 500, headers, body: JSON.stringify(problem) }),
    );
    await page.click('.rail >> text=Data');
    await page.waitForSelector('[role=alert] >> text=r-17');

    const links = page.locator('[role=alert] li a');
    expect(await links.evaluateAll((found) => found.map((each) => (each as unknown as { href: string }).href))).toEqual(
      [
        expect.stringMatching(/\/console\/w\/city\/groups\/base$/),
        expect.stringMatching(/\/console\/groups\/all$/),
        expect.stringMatching(/\/console\/w\/city\/styles\/a%20b$/),
      ],
    );
    await page.click('[role=alert] >> button[aria-label="Copy the request id"]');
    await page.waitForSelector('.toast');
  });
});
