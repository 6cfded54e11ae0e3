/**
 * All pages of the console at 1280 pixels with a zoom of 200 %, which is half as many pixels of CSS, and the main pages at 320
 * pixels, with large text and with colors of the system (WCAG 2.2, 1.4.4 and 1.4.10).
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { findOverhang, useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** A window of 1280 to 800 pixels. */
const zoomed = { width: 640, height: 400 };

const values: Readonly<Record<string, string>> = {
  workspace: shown.workspace,
  layer: shown.layer,
  store: 'data',
  group: 'base',
  style: 'red',
  kind: 'gpkg',
  user: 'steward',
  sequence: '3',
};

/** The addresses of the table of routes, and the tabs and panels that their pages have. */
async function listAddresses(): Promise<readonly string[]> {
  const code = await readFile(new URL('../../console/routes.ts', import.meta.url), 'utf8');
  const paths = Array.from(code.matchAll(/\bpath: '([^']*)'/g), ([, path = '']) => path);
  const security = Array.from(code.matchAll(/\['([\w-]+)', 'security\//g), ([, name]) => `security/${name}`);
  const layer = `w/${shown.workspace}/layers/${shown.layer}`;
  const tabs = ['style', 'data', 'access', 'publish', 'history'].map((tab) => `${layer}?tab=${tab}`);
  const panels = ['panel=layers', 'panel=use', 'panel=edit', 'table=on', 'as=user%3Dsteward'].map(
    (each) => `${layer}?${each}`,
  );
  const access = ['data', 'services', 'rest', 'view'].map((tab) => `security/access?tab=${tab}`);
  const styles = ['view=visual', 'view=sld'].map((view) => `w/${shown.workspace}/styles/red?${view}`);
  const filled = [...paths, ...security].map((path) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name),
  );
  return [
    ...new Set(['', 'layers', `w/${shown.workspace}/layers`, ...filled, ...tabs, ...panels, ...access, ...styles]),
  ];
}

/** Two readings in a row find the same page. Some pages show new figures every second. */
const isComplete = `(() => {
  const now = document.body.innerHTML.length;
  const isSame = globalThis.lastLength === now && document.querySelector('h1, h2') !== null;
  globalThis.lastLength = now;
  globalThis.readings = (globalThis.readings ?? 0) + 1;
  return isSame || globalThis.readings > 12;
})()`;

/** Visible texts beyond the window or the box that cuts them, if nothing scrolls there and no ellipsis says so. */
const findCut = `(() => {
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.data.trim() === '' || node.parentElement.closest('.unseen, option, svg, datalist, template') !== null) continue;
    if (!node.parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(node);
    const { left, right, width, height } = range.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    let isScrolled = false;
    for (let box = node.parentElement; box !== null && !isScrolled; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (/auto|scroll/.test(style.overflowX) || style.textOverflow === 'ellipsis' || style.position === 'fixed') isScrolled = true;
      else if (/hidden|clip/.test(style.overflowX)) {
        const bounds = box.getBoundingClientRect();
        if (bounds.width <= 1) isScrolled = true;
        else if (right > bounds.right + 1 || left < bounds.left - 1) { cut.push(node.data.trim().slice(0, 60)); isScrolled = true; }
      }
    }
    if (!isScrolled && (right > innerWidth + 1 || left < -1)) cut.push(node.data.trim().slice(0, 60));
  }
  return cut;
})()`;

describeWithTool('chromium', 'the console with a zoom of 200 %', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
    const layerGroup = {
      name: 'base',
      publishables: { published: [{ '@type': 'layer', name: `${shown.workspace}:${shown.layer}` }] },
    };
    for (const path of ['/layergroups', `/workspaces/${shown.workspace}/layergroups`]) {
      expect((await client.server.post(path, JSON.stringify({ layerGroup }))).status).toBe(201);
    }
  });

  const inspect = async (page: Page) => ({ overhang: await findOverhang(page), cut: await page.evaluate(findCut) });

  it('has no page that scrolls sideways or cuts texts', async () => {
    const addresses = await listAddresses();
    expect(addresses.length).toBeGreaterThan(40);
    const { page } = await openSignedIn('', { viewport: zoomed });
    const found: unknown[] = [];
    for (const address of addresses) {
      await page.goto(new URL(address, getRoot()).href);
      await expect.poll(() => page.evaluate(isComplete), { interval: 250 }).toBe(true);
      const { overhang, cut } = await inspect(page);
      if (overhang > 0 || (cut as readonly string[]).length > 0) found.push({ address, overhang, cut });
    }
    expect(found).toEqual([]);
  });

  const mainPages = [
    ...['', 'layers', `w/${shown.workspace}/layers/${shown.layer}`, 'styles', `w/${shown.workspace}/styles/red`],
    ...['security/access', 'security/users', 'operations/status', 'operations/history', 'publish', 'new/postgis'],
  ];

  const inspectMainPages = async (page: Page, prepare?: string) => {
    const found: unknown[] = [];
    for (const address of mainPages) {
      await page.goto(new URL(address, getRoot()).href);
      if (prepare !== undefined) await page.evaluate(prepare);
      await expect.poll(() => page.evaluate(isComplete), { interval: 250 }).toBe(true);
      const { overhang, cut } = await inspect(page);
      if (overhang > 0 || (cut as readonly string[]).length > 0) found.push({ address, overhang, cut });
    }
    return found;
  };

  it('has no main page that scrolls sideways or cuts texts at a width of 320 pixels', async () => {
    const { page } = await openSignedIn('', { viewport: { width: 320, height: 640 } });
    expect(await inspectMainPages(page)).toEqual([]);
  });

  it('has no main page that scrolls sideways or cuts texts of twice the size', async () => {
    const { page } = await openSignedIn('');
    expect(await inspectMainPages(page, "document.documentElement.style.setProperty('font-size', '200%')")).toEqual([]);
  });

  it('shows what is selected if the system chooses the colors', async () => {
    const { page } = await openSignedIn('');
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.goto(new URL('security/access', getRoot()).href);
    await page.waitForSelector('.access-tabs');
    for (const part of ['.rail-item', '.tabs-tab', '.access-tabs a']) {
      const read = (state: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${part}${state}')).backgroundColor`);
      expect(await read('[aria-current]'), part).not.toBe(await read(':not([aria-current])'));
    }
    await page.emulateMedia({ forcedColors: null, reducedMotion: null });
  });
});
