/** The HTML pages in a real browser: they are readable, linked with each other, and run no injected code. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, PHONE_PIXELS, startBrowser } from '../support/browser.ts';
import { tools } from '../support/tools.ts';
import { pointShapefile, zipOf } from '../support/vector-samples.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { ADMIN_PASSWORD, type StartedServer, startServer } from './started-server.ts';

/** Would open a dialog or load a resource if it were interpreted as markup. */
const MARKUP = `<img src=x onerror=alert(1)><script>alert(2)`;

const LONG_NAME = 'a_name_without_any_place_to_break_it_into_lines_that_a_telephone_could_show';

/** The path without the names of resources, which are every other part of most paths. */
function getPageKind(url: string, root: string): string {
  const parts = url.slice(root.length).split('/');
  return parts.map((part, index) => (index > 0 && index % 2 === 0 ? '*' : part)).join('/');
}

/** Resources of most kinds, with long names that have no natural line breaks. */
async function furnish(server: StartedServer): Promise<void> {
  const long = LONG_NAME;
  const send = async (method: string, path: string, type: string, body: string | Buffer) => {
    const { status, text } = await server.request(method, path, { body, headers: { 'content-type': type } });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
  };
  const json = 'application/json';
  for (const name of ['acme', long]) {
    const metadata = { entry: [{ '@key': long, $: `${long} ${long}` }] };
    await send('POST', '/workspaces', json, JSON.stringify({ workspace: { name, metadata } }));
  }
  const zip = zipOf({ places: pointShapefile(), [long]: pointShapefile(1) });
  await send('PUT', '/workspaces/acme/datastores/shapes/file.shp?configure=all', 'application/zip', zip);
  await send(
    'PUT',
    '/workspaces/acme/datastores/pack/file.shp?target=gpkg',
    'application/zip',
    zipOf({ wells: pointShapefile() }),
  );
  await send('POST', '/styles?name=sea', 'application/vnd.graticule.geocss+css', `* { fill: navy; } /* ${long} */`);
  await send(
    'POST',
    `/workspaces/acme/styles?name=${long}`,
    'application/vnd.graticule.geocss+css',
    '* { stroke: red; }',
  );
  await send(
    'POST',
    '/urlchecks',
    json,
    JSON.stringify({ regexUrlCheck: { name: long, regex: `^http://${long}/.*$` } }),
  );
  await send('POST', '/security/acl/layers', json, JSON.stringify({ [`acme.${long}.r`]: `ROLE_${long}` }));
}

describeWithTool('chromium', 'pages in a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser(tools.chromium.find() ?? '', `admin:${ADMIN_PASSWORD}`);
  }, 90_000);
  afterAll(() => browser?.close());

  it('the list of workspaces is readable, and links to each workspace', async () => {
    const server = await startServer();
    await server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name: 'acme' } }) });

    const list = await browser.visit(`${server.url}/workspaces.html`);
    const one = await browser.visit(list.links.find(({ text }) => text === 'acme')?.href ?? '');

    expect(list).toMatchObject({ title: 'Workspaces · Graticule', livelyElements: 0, complaints: [] });
    expect(list.text).toContain('acme');
    expect(one.text).toContain('acme');
    expect(one.complaints).toEqual([]);
  });

  it('a style page shows a preview of the style', async () => {
    const server = await startServer();
    const css = '* { fill: navy; } /* </pre><script>alert(1)</script> */';
    const headers = { 'content-type': 'application/vnd.graticule.geocss+css' };
    await server.request('POST', '/styles?name=sea', { body: css, headers });

    const page = await browser.visit(`${server.url}/styles/sea.html`);

    expect(page.pictures).toEqual([{ source: expect.stringMatching(/\.png\?/), width: 48 }]);
    expect(page.text).toContain(css);
    expect(page).toMatchObject({ livelyElements: 0, complaints: [] });
  });

  it('no page scrolls horizontally on a phone or logs an error', async () => {
    const server = await startServer();
    await furnish(server);
    const waiting = [`${server.url}.html`, `${server.url}/workspaces/nowhere.html`];
    const seen = new Set<string>();
    const visits = new Map<string, number>();

    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      const kind = getPageKind(url, server.url);
      const visited = visits.get(kind) ?? 0;
      if (seen.has(url) || (visited === 4 && !url.includes('places') && !url.includes(LONG_NAME))) continue;
      seen.add(url);
      visits.set(kind, visited + 1);
      const page = await browser.visit(url, { widthPixels: PHONE_PIXELS });
      const isError = url.endsWith('/nowhere.html');

      expect([url, page.overhangPixels, isError ? [] : page.complaints]).toEqual([url, 0, []]);
      expect([url, page.links.map(({ href }) => href)]).toEqual([url, expect.arrayContaining([`${server.url}.html`])]);
      waiting.push(...page.links.flatMap(({ href }) => (href.endsWith('.html') ? [href] : [])));
    }

    expect(seen).toContain(`${server.url}/workspaces/acme/layers/places.html`);
    expect(seen).toContain(`${server.url}/workspaces/acme/datastores/shapes/featuretypes/places.html`);
  });

  it('a layer page shows its legend and its extent, and links to its data and back', async () => {
    const server = await startServer();
    await furnish(server);

    const layer = await browser.visit(`${server.url}/workspaces/acme/layers/places.html`);
    const type = await browser.visit(layer.links.find(({ href }) => href.includes('/featuretypes/'))?.href ?? '');

    expect(layer.pictures).toEqual([
      { source: expect.stringMatching(/\/wms\/reflect\?layers=acme%3Aplaces&/), width: 320 },
      { source: expect.stringMatching(/\/styles\/point\/\.png\?/), width: 48 },
    ]);
    expect(layer.text).toContain('50°N to 52°N, 10°E to 12°E');
    expect(type.text).toContain('place 0');
    expect(type.links.map(({ href }) => href)).toContain(`${server.url}/workspaces/acme/layers/places.html`);
    expect([layer.complaints, type.complaints]).toEqual([[], []]);
  });

  it('markup in a name is shown as text', async () => {
    const server = await startServer();
    await server.request('POST', '/workspaces', { body: JSON.stringify({ workspace: { name: MARKUP } }) });

    for (const path of ['/workspaces.html', `/workspaces/${encodeURIComponent(MARKUP)}.html`]) {
      const page = await browser.visit(`${server.url}${path}`);

      expect(page.text).toContain(MARKUP);
      expect(page).toMatchObject({ livelyElements: 0, pictures: [], complaints: [] });
    }
  });

  it('the preview shows layers, also on a phone', async () => {
    const server = await startServer();
    await furnish(server);
    const drawn = `document.getElementById('map')?.dataset.drawn === 'yes'`;

    const list = await browser.visit(server.url.replace(/rest$/, 'preview'), { widthPixels: PHONE_PIXELS });
    const layer = await browser.visit(list.links.find(({ text }) => text === 'places')?.href ?? '', {
      widthPixels: PHONE_PIXELS,
      until: drawn,
    });

    expect(list).toMatchObject({ title: 'Preview · Graticule', overhangPixels: 0, complaints: [] });
    expect(layer).toMatchObject({ title: 'places · Graticule', overhangPixels: 0, complaints: [] });
    expect(layer.pictures).toEqual([{ source: expect.stringContaining('GetLegendGraphic'), width: 20 }]);
  });
});
