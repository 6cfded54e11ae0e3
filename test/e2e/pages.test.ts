/** The HTML pages in a real browser: they can be read, followed from one to the next, and run nothing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, startBrowser } from '../support/browser.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { ADMIN_PASSWORD, startServer } from './started-server.ts';

/** Would open a dialog, or load something, if any of it were taken for markup. */
const MARKUP = `<img src=x onerror=alert(1)><script>alert(2)`;

describeWithTool('chromium', 'in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser(tools.chromium.find() ?? '', `admin:${ADMIN_PASSWORD}`);
  }, 90_000);
  afterAll(() => browser?.close());

  it('a person reads the workspaces, and follows the link of one', async () => {
    const server = await startServer();
    await server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name: 'acme' } }) });

    const list = await browser.visit(`${server.url}/workspaces.html`);
    const one = await browser.visit(list.links.find(({ text }) => text === 'acme')?.href ?? '');

    expect(list).toMatchObject({ title: 'Workspaces · Graticule', livelyElements: 0, complaints: [] });
    expect(list.text).toContain('acme');
    expect(one.text).toContain('acme');
    expect(one.complaints).toEqual([]);
  });

  it('a person sees what a style looks like', async () => {
    const server = await startServer();
    const css = '* { fill: navy; } /* </pre><script>alert(1)</script> */';
    const headers = { 'content-type': 'application/vnd.graticule.geocss+css' };
    await server.request('POST', '/styles?name=sea', { body: css, headers });

    const page = await browser.visit(`${server.url}/styles/sea.html`);

    expect(page.pictures).toEqual([{ source: expect.stringMatching(/\.png\?/), width: 48 }]);
    expect(page.text).toContain(css);
    expect(page).toMatchObject({ livelyElements: 0, complaints: [] });
  });

  it('markup in a name is text and nothing else', async () => {
    const server = await startServer();
    await server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name: MARKUP } }) });

    for (const path of ['/workspaces.html', `/workspaces/${encodeURIComponent(MARKUP)}.html`]) {
      const page = await browser.visit(`${server.url}${path}`);

      expect(page.text).toContain(MARKUP);
      expect(page).toMatchObject({ livelyElements: 0, pictures: [], complaints: [] });
    }
  });
});
