/**
 * A campaign against the console: every name, title and text of a catalogue is markup that would run a script, and every
 * page is visited with it, also in addresses. The browser reports violations of the policy, errors and dialogs by itself.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { useConsoleBrowser } from '../support/console-browser.ts';
import { furnishConsoleServer, shown } from '../support/console-server.ts';
import { column, geometryColumn, wkt } from '../support/feature-collections.ts';
import { publishEditableTables } from '../support/published-features.ts';
import { useSocketClient } from '../support/socket-client.ts';
import type { TestServer } from '../support/test-server.ts';
import { describeWithTool } from '../support/with-tool.ts';

/** Ends attributes, texts, elements, templates and scripts; without a slash, which names cannot have. */
const EVIL = `x"'\`><img src=x onerror=hacked(1)><svg onload=hacked(2)>\${hacked(3)}`;
const SCRIPT_URL = 'javascript:hacked(4)';
/** For names of few characters, such as those of layers. */
const EVIL_NAMES = [EVIL, '<img src=x onerror=hacked(5)>', '<b>bold<b>', 'a&lt;b', 'plain'];

const e = encodeURIComponent;

describeWithTool('chromium', 'names and texts that are markup', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const browser = useConsoleBrowser(getRoot);
  let names: HostileNames;
  beforeAll(async () => {
    await furnishConsoleServer(client.server);
    names = await furnishHostileServer(client.server);
  });

  it('stay text on every page, in every address and in every message', async () => {
    const { page } = await browser.openSignedIn('help');
    await page.evaluate('globalThis.hacked = (number) => { globalThis.hackedBy = number; }');
    const settled = countRequests(page);
    const found: string[] = [];
    for (const address of listAddresses(names)) {
      await followLink(page, address);
      await settled();
      found.push(...(await findInjected(page)).map((each) => `${address}: ${each}`));
    }

    expect(found).toEqual([]);
    expect(await page.evaluate('globalThis.hackedBy')).toBeUndefined();
  });

  it('of dropped files and their contents stay text, before and after they are published', async () => {
    const { page } = await browser.openSignedIn(`publish?w=${shown.workspace}`);
    const geojson = JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [8, 47] }, properties: { [EVIL]: EVIL } }],
    });
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.setInputFiles('[data-kind=files]', [
      file('places.geojson', geojson),
      file(`${EVIL}.txt`, 'no data'),
      file(`${EVIL}.shp`, 'damaged'),
    ]);
    await page.waitForSelector('.publish-card[data-state=checked] .publish-sample');
    await page.waitForSelector('.publish-card[data-state=failed]');
    expect(await page.textContent('.publish-sample th')).toBe(EVIL);
    expect(await findInjected(page)).toEqual([]);
    await page.click('.publish-card[data-state=checked] .button-primary');
    await page.click('.publish-done a');
    await page.waitForSelector('.map-canvas[data-state=drawn]');
    await page.click('.tabs >> text=Data');
    await page.waitForSelector('.data-table td');
    expect(await page.textContent('.data-table td')).toBe(EVIL);
    expect(await findInjected(page)).toEqual([]);
  });

  it('of edited features stay text', async () => {
    // Nodes do not edit uploaded files.
    await publishEditableTables(client.server, 'edits', [
      {
        name: 'trees',
        attributes: [geometryColumn('Point'), column('name', 'string')],
        rows: [[wkt('POINT (8 47)'), EVIL]],
      },
    ]);
    const { page } = await browser.openSignedIn('w/edits/layers/trees?panel=edit');
    await page.click('text=Add at the center');
    await page.fill('.edit-form input', EVIL);
    await page.click("button:text-is('Save')");
    await page.waitForSelector('.toast >> text=1 change saved.');
    expect(await findInjected(page)).toEqual([]);
  });

  it('in the answer of an identity provider stay text', async () => {
    const { page } = await browser.open('');
    await page.evaluate(
      `sessionStorage.setItem('graticule-sign-in', '{"provider":"x","state":"s","codeVerifier":"v"}')`,
    );
    await page.goto(new URL(`signin?state=s&error_description=${e(EVIL)}`, getRoot()).href);
    await page.waitForSelector('[role=alert]');

    expect(await page.textContent('[role=alert]')).toContain(EVIL);
    expect(await findInjected(page)).toEqual([]);
  });
});

interface HostileNames {
  readonly workspace: string;
  readonly store: string;
  readonly group: string;
  readonly style: string;
  readonly user: string;
  readonly userGroup: string;
  readonly role: string;
  readonly webhook: string;
}

/** Creates records of every kind with the most hostile name that the kind accepts. */
async function furnishHostileServer(server: TestServer): Promise<HostileNames> {
  const create = async (build: (name: string) => readonly [string, string, object?]): Promise<string> => {
    let last = '';
    for (const name of EVIL_NAMES) {
      const [method, path, document] = build(name);
      const body = document === undefined ? {} : { type: 'json', body: JSON.stringify(document) };
      const { status, text } = await server.request(method, path, body);
      if (status < 300) return name;
      last = text;
    }
    throw new Error(`No name is accepted for ${build('NAME')[1]}: ${last}`);
  };
  const workspace = await create((name) => ['POST', '/workspaces', { workspace: { name } }]);
  const home = `/workspaces/${e(workspace)}`;
  const connectionParameters = {
    dbtype: 'postgis',
    host: '127.0.0.1',
    port: '1',
    database: '<b>bold',
    user: '<b>bold',
    schema: '<b>bold',
  };
  const store = await create((name) => [
    ...(['POST', `${home}/datastores`] as const),
    { dataStore: { name, description: EVIL, connectionParameters } },
  ]);
  const style = await create((name) => ['POST', `${home}/styles`, { style: { name, filename: 'x.sld' } }]);
  const published = [{ '@type': 'layer', name: `${shown.workspace}:${shown.layer}` }];
  const group = await create((name) => [
    ...(['POST', `/workspaces/${shown.workspace}/layergroups`] as const),
    { layerGroup: { name, title: EVIL, abstractTxt: EVIL, publishables: { published } } },
  ]);
  const role = await create((name) => ['POST', `/security/roles/role/${e(name)}`]);
  const user = await create((userName) => [
    ...(['POST', '/security/usergroup/users'] as const),
    { user: { userName, password: 'long enough 1', enabled: true } },
  ]);
  const userGroup = await create((name) => ['POST', `/security/usergroup/group/${e(name)}`]);
  await create((name) => [
    'POST',
    '/urlchecks',
    { regexUrlCheck: { name, regex: '^https://a/.*$', description: EVIL, enabled: true } },
  ]);
  const url = 'https://a';
  const webhook = await create((name) => ['POST', '/webhooks', { webhook: { name, url, secret: 'x'.repeat(32) } }]);
  await create((name) => [
    ...(['POST', '/security/acl/data'] as const),
    {
      dataRule: {
        name,
        layer: `${shown.workspace}:${shown.layer}`,
        roles: [role],
        rows: "name = '<img src=x onerror=hacked(6)>'",
      },
    },
  ]);
  await create((name) => ['POST', '/security/acl/layers', { [`${shown.workspace}.${shown.layer}.r`]: `*,${name}` }]);
  await create((name) => ['POST', '/security/self/tokens', { token: { name } }]);
  // The text of a change.
  const operations = [{ method: 'POST', path: '/workspaces', body: { workspace: { name: 'batch' } } }];
  await create((name) => ['POST', '/batch', { message: name, operations }]);
  return { workspace, store, group, style, user, userGroup, role, webhook };
}

/** Every route, with the names above and with markup in every parameter of the address. */
function listAddresses({
  workspace,
  store,
  group,
  style,
  user,
  userGroup,
  role,
  webhook,
}: HostileNames): readonly string[] {
  const [w, layer] = [e(workspace), `w/${shown.workspace}/layers/${shown.layer}`];
  const evil = e(EVIL);
  return [
    ...['', 'layers', 'stores', 'styles', 'workspaces', 'new/postgis', 'me'],
    ...['stores', 'styles', 'new/group'].map((page) => `w/${w}/${page}`),
    ...[
      `workspaces/${w}`,
      `workspaces?new=1&q=${evil}`,
      `layers?q=${evil}`,
      `groups?q=${evil}`,
      `styles?q=${evil}&new=${evil}`,
    ],
    ...[`w/${w}/stores/${e(store)}`, `w/${w}/stores/${e(store)}?kind=${evil}`, `w/${w}/stores/${e(store)}/sql-view`],
    ...[`w/${w}/stores/${evil}/granules?coverage=${evil}&filter=${evil}&time=${evil}`, `w/${evil}/layers/${evil}`],
    ...[`w/${shown.workspace}/groups/${e(group)}`, `w/${shown.workspace}/groups`, `w/${w}/styles/${e(style)}`],
    ...[`w/${w}/styles/${e(style)}?layer=${evil}&view=${evil}`, `styles/${evil}`, `crs/${evil}`, `no/such/${evil}`],
    ...[layer, ...['data', 'style', 'publish', 'history', evil].map((tab) => `${layer}?tab=${tab}`)],
    `${layer}?layers=${evil}~50,${e(SCRIPT_URL)}&table=on&panel=layers&as=${evil}&time=${evil}&at=${evil}&crs=${evil}`,
    `${layer}?filter=${evil}&table=on&panel=use`,
    `${layer}?tab=access&user=${evil}`,
    ...['data', 'services', evil].map((tab) => `security/access?tab=${tab}&rule=${evil}`),
    ...['users', 'groups', 'roles', 'tokens', 'sign-in', 'keystore'].map((page) => `security/${page}`),
    ...[`security/users?q=${evil}&service=${evil}`, `security/url-checks?url=${evil}`],
    ...[`security/users/${e(user)}`, `security/groups/${e(userGroup)}`, `security/roles?role=${e(role)}`],
    ...['status', 'configuration', 'tiles'].map((page) => `operations/${page}`),
    ...['path', 'kind', 'from'].map((name) => `operations/history?who=${evil}&${name}=${evil}`),
    ...['operations/history?signIns=on', `operations/history/${evil}`, `operations/tiles?layer=${evil}`],
    ...[`operations/webhooks?name=${e(webhook)}`, `operations/webhooks?form=${evil}`],
    ...[`help#${evil}`, `layers?w=${evil}#${evil}`, `publish?w=${evil}`],
  ];
}

/** Opens an address in the same document, as links do. */
async function followLink(page: Page, address: string): Promise<void> {
  await page.evaluate(`(() => {
    const root = location.href.slice(0, location.href.indexOf('/console/') + '/console/'.length);
    const link = Object.assign(document.createElement('a'), { href: root + ${JSON.stringify(address)} });
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
}

/** Elements and links that only injected markup can have. */
function findInjected(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const selector = 'img, b, iframe, object, embed, script:not([src]), style, base, [onerror], [onload], [onclick], [srcdoc]';
    const elements = [...document.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML);
    const links = [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).map(({ href }) => href);
    return [...elements, ...links];
  })()`);
}

const QUIET_MS = 100;

/** Returns a function that waits until the page has sent no request for a moment, except for the stream of changes. */
function countRequests(page: Page): () => Promise<void> {
  const open = new Set<object>();
  let last = performance.now();
  const end = (request: object) => {
    open.delete(request);
    last = performance.now();
  };
  page.on('request', (request) => {
    if (!request.url().endsWith('/rest/events')) open.add(request);
    last = performance.now();
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    last = performance.now();
    await expect.poll(() => open.size === 0 && performance.now() - last > QUIET_MS, { timeout: 60_000 }).toBe(true);
  };
}
