/** The layout of the REST pages in a real browser. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, PHONE_PIXELS, startBrowser } from '../support/browser.ts';
import { ADMIN_PASSWORD, useTestServer } from '../support/test-server.ts';
import { tools } from '../support/tools.ts';
import { describeWithTool } from '../support/with-tool.ts';

describeWithTool('chromium', 'REST pages in a browser', () => {
  let browser: Browser;
  const server = useTestServer();
  let root = '';

  beforeAll(async () => {
    browser = await startBrowser(tools.chromium.find() ?? '', `admin:${ADMIN_PASSWORD}`);
    const { app } = server.server;
    await app.listen({ host: '127.0.0.1', port: 0 });
    root = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/geoserver/rest`;
  }, 120_000);
  afterAll(() => browser?.close());

  /** True if each heading is on one line. */
  const areWordsWhole = `[...document.querySelectorAll('th')].every((heading) => {
    const range = document.createRange();
    range.selectNodeContents(heading);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size < 2;
  })`;

  it.each([1_280, PHONE_PIXELS])('the names of settings are not broken at %s pixels', async (widthPixels) => {
    const page = await browser.visit(`${root}/settings.html`, { widthPixels, until: areWordsWhole });

    expect(page.text).toContain('showModifiedTimeColumnsInAdminList');
    expect(page.overhangPixels).toBe(0);
  });

  it.each(['/history.html', '/doctor.html', '/webhooks.html', '/crs.html'])(
    'the page %s fits on a phone and has no errors',
    async (path) => {
      const page = await browser.visit(`${root}${path}`, { widthPixels: PHONE_PIXELS });

      expect([page.overhangPixels, page.complaints]).toEqual([0, []]);
    },
  );
});
