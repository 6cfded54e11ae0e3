/** The security pages of the console: jobs 6, 7 and 8 by mouse, by keyboard and on a phone, accounts, and what others see. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CheckedPage, checkPages } from '../support/console-axe.ts';
import { findOverhang, phone, useConsoleBrowser, type VisitOptions } from '../support/console-browser.ts';
import { furnishConsoleServer, MARKUP, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { isOnPostgres } from '../support/shared-storage.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { addUser } from '../support/test-users.ts';
import { describeWithTool } from '../support/with-tool.ts';

const layerAddress = `w/${shown.workspace}/layers/${shown.layer}`;
const matrix = '.access-matrix';
const LDAP = 'org.geoserver.security.auth.LdapAuthenticationProvider';
/** Nothing listens there. */
const directory = {
  name: 'directory',
  className: LDAP,
  serverURL: 'ldap://127.0.0.1:1/dc=a',
  userDnPattern: 'uid={0}',
};

describeWithTool('chromium', 'the security pages of the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  let steward: readonly string[];
  let reader: readonly string[];

  const send = async (method: string, path: string, document?: object) => {
    const options = document === undefined ? {} : { type: 'json', body: JSON.stringify(document) };
    const reply = await client.server.request(method, path, options);
    if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  };
  const read = async (path: string) => (await client.server.get(path, { accept: 'application/json' })).json();

  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
    reader = (await addUser(client.server, 'vera', 'VIEWER')).split(':');
    await send('POST', `/security/usergroup/group/${encodeURIComponent(MARKUP)}`);
    await send('POST', '/security/acl/data', {
      dataRule: { name: MARKUP, layer: `${SECRET_WORKSPACE}:*`, roles: ['VIEWER'], rows: 'rank = 1' },
    });
    await send('POST', '/urlchecks', {
      regexUrlCheck: { name: 'icons', regex: '^https://icons\\.example/.*$', enabled: true, description: MARKUP },
    });
    await send('POST', '/security/authproviders', { authprovider: directory });
  });

  describe('view as others', () => {
    const drawn = '.map-canvas[data-state=drawn]';
    const watchMaps = (page: Page) => {
      const sent: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (/\/wms\?.*GetMap/i.test(request.url())) sent.push(request.headers()['graticule-view-as']);
      });
      return sent;
    };

    it('opens the map of a layer as a role and as a user, without edits', async () => {
      const { page } = await openSignedIn(layerAddress);
      await page.click('.tabs >> text=Access');
      const sent = watchMaps(page);
      await page.click(`${matrix} [data-role=VIEWER] .access-view`);
      await page.waitForSelector(drawn);
      expect(await page.locator('.map-as select').inputValue()).toBe('role=VIEWER');
      expect(await page.locator('.map-actions >> text=Edit').count()).toBe(0);
      expect(new Set(sent)).toEqual(new Set(['role=VIEWER']));

      sent.length = 0;
      await page.selectOption('.map-as select', 'user');
      await page.fill('.map-as-user input', 'vera');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent.at(-1)).toBe('user=vera');
      await page.selectOption('.map-as select', 'me');
      await expect.poll(() => sent.at(-1)).toBe(undefined);
    });

    it('lists the layers and maps of visitors, roles and users, with the limits of data rules', async () => {
      const { page } = await openSignedIn('security/access?tab=view');
      await page.waitForSelector('.view-as-layers');
      expect(await page.locator('.view-as-layers code').allTextContents()).not.toContain(`${SECRET_WORKSPACE}:stands`);
      await page.selectOption('.view-as select', 'role=VIEWER');
      await page.fill('.view-as input', 'vera');
      await page.click('.view-as >> text=Show');
      await expect.poll(() => page.url()).toContain('user');
      await page.waitForSelector('.view-as-layers');
      await page.fill('.view-as input', 'nobody');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.notice-error >> text=no such user');
    });

    it('offers administrators of a workspace their own roles there', async () => {
      const { page } = await openSignedIn(layerAddress, {}, steward);
      await page.waitForSelector(drawn);
      const sent = watchMaps(page);
      const options = await page
        .locator('.map-as option')
        .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
      expect(options).toEqual(['me', 'anonymous', 'role=ROLE_AUTHENTICATED', 'role=CITY']);
      await page.selectOption('.map-as select', 'role=ROLE_AUTHENTICATED');
      await expect.poll(() => sent.at(-1)).toBe('role=ROLE_AUTHENTICATED');
      await page.waitForSelector(drawn);
    });

    it('shows an error if a proxy removes the header from the request', async () => {
      const { page } = await openSignedIn(layerAddress);
      await page.route('**/wms?**', (route) => {
        const { 'graticule-view-as': _, ...headers } = route.request().headers();
        return route.continue({ headers });
      });
      await page.waitForSelector(drawn);
      await page.selectOption('.map-as select', 'role=VIEWER');
      await page.waitForSelector('.map-failure >> text=a proxy has removed the header');
    });
  });

  describe('job 6: who can see this layer', () => {
    const deny = `${matrix} [data-role=ROLE_ANONYMOUS] [data-mode=read] button`;
    const cell = `${matrix} [data-role=ROLE_ANONYMOUS] [data-mode=read]`;

    it('shows verdicts with their rules, and denies with the matrix after it, by mouse', async () => {
      const { page } = await openSignedIn(layerAddress);
      await page.click('.tabs >> text=Access');
      await page.waitForSelector(`${cell}[data-verdict=allow]`);
      expect(await page.textContent(`${matrix} [data-role=CITY] [data-mode=admin]`)).toContain('city.*.a');
      expect(await page.textContent(`${matrix} [data-role=VIEWER] [data-mode=write]`)).toContain('Challenged');

      await page.click(deny);
      await page.waitForSelector('.after-matrix [data-role=ROLE_ANONYMOUS] [data-changed=true][data-verdict=deny]');
      expect(await page.textContent('.planned-rule')).toBe(
        'Adds the rule city.roads.rNowEveryoneThenEvery signed-in user',
      );
      expect(await page.locator('.after-matrix [data-changed=true]').count()).toBe(1);
      expect(await read('/security/acl/layers')).not.toHaveProperty(['city.roads.r']);

      await page.click('text=Save rule');
      await page.waitForSelector(`${cell}[data-verdict=deny]`);
      expect(await page.textContent(cell)).toContain('Hidden: answered as if the layer did not exist.');
      expect(await read('/security/acl/layers')).toMatchObject({ 'city.roads.r': 'ROLE_AUTHENTICATED' });
      await page.click('.toast >> text=Undo');
      await page.waitForSelector(`${cell}[data-verdict=allow]`);
    });

    it('allows by keyboard only, and removes the rule where the next level says the same', async () => {
      await send('POST', '/security/acl/layers', { 'city.roads.r': 'CITY' });
      const { page } = await openSignedIn(`${layerAddress}?tab=access`);
      await page.waitForSelector(`${cell}[data-verdict=deny]`);
      await tabTo(page, deny);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.planned-rule-remove');
      await tabTo(page, '.dialog [type=submit]');
      await page.keyboard.press('Enter');
      await page.waitForSelector(`${cell}[data-verdict=allow]`);

      expect(await read('/security/acl/layers')).not.toHaveProperty(['city.roads.r']);
      // The matrix can show the new rule before the dialog has closed.
      await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Deny');
    });

    it('checks a user with the limits of data rules, on a phone', async () => {
      const rule = { name: 'north', layer: `${shown.workspace}:${shown.layer}`, roles: ['VIEWER'], rows: 'rank = 1' };
      await send('POST', '/security/acl/data', { dataRule: { ...rule, attributes: { name: 'hide' } } });
      const { page } = await openSignedIn(`${layerAddress}?tab=access`, { viewport: phone });
      await page.waitForSelector(cell);
      const button = await page.locator(deny).boundingBox();
      await page.fill('.access-user input', 'vera');
      await page.click('.access-user-form button');
      await page.waitForSelector('[data-user=vera]');

      expect(await page.textContent('[data-user=vera] [data-mode=read]')).toContain('LimitedData rules north');
      expect(await page.textContent('.access-limits')).toContain('Hidden attributesname');
      expect(await page.textContent('.access-data')).toContain('rank = 1');
      expect([await findOverhang(page), (button?.height ?? 0) >= 32]).toEqual([0, true]);
      await send('DELETE', '/security/acl/data/north');
    });
  });

  describe('job 7: test a URL check', () => {
    const icon = 'https://icons.example/a.png';
    const other = 'https://other.example/a.png';

    it('names the check, and tests kept URLs with a pattern before it is saved, by mouse', async () => {
      const { page } = await openSignedIn('security/url-checks');
      await page.fill('.url-tester input', icon);
      await page.waitForSelector('.url-verdict[data-allowed=true] >> text=icons');
      await page.click('text=Keep: must pass');
      await page.fill('.url-tester input', other);
      await page.waitForSelector('.url-verdict[data-allowed=false] >> text=no enabled URL check matches');
      await page.click('text=Keep: must not pass');
      await page.waitForSelector('.samples [data-good=true] >> nth=1');

      await page.click('[aria-label="Change icons"]');
      await page.fill('.dialog [name=regex]', '^https://(other');
      await page.waitForSelector('.dialog .field-error >> text=not closed');
      await page.fill('.dialog [name=regex]', '^https://other\\.example/.*$');
      await page.waitForSelector('.dialog .samples [data-good=false] >> nth=1');
      await page.fill('.dialog [name=regex]', '^https://ic.*$');
      await page.waitForSelector('.dialog .samples [data-good=true] >> nth=1');
      expect(JSON.stringify(await read('/urlchecks/icons'))).toContain('icons');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.records code:text-is("^https://ic.*$")');
      expect(await page.textContent('.records-note')).toBe(MARKUP);
    });

    it('is done by keyboard only, at 360 pixels too', async () => {
      const { page } = await openSignedIn('security/url-checks', { viewport: phone });
      await page.waitForSelector('.records');
      await tabTo(page, '.url-tester input');
      await page.keyboard.type(other);
      await page.waitForSelector('.url-verdict[data-allowed=false]');
      await tabTo(page, '.url-verdict button');
      await page.keyboard.press('Enter');
      await tabTo(page, '[aria-label="Change icons"]');
      await page.keyboard.press('Enter');
      await tabTo(page, '.dialog [name=regex]');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('^https://.*$');
      await page.waitForSelector('.dialog .samples [data-good=true]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.records code:text-is("^https://.*$")');

      expect(await findOverhang(page)).toBe(0);
    });
  });

  describe('job 8: order authentication providers', () => {
    const readOrder = async () => {
      const { authproviders } = (await read('/security/authproviders')) as { authproviders: { name: string }[] };
      return authproviders.map(({ name }) => name);
    };
    const names = (page: Page) =>
      page.evaluate(`[...document.querySelectorAll('.sortable-item')].map((item) => item.dataset.key)`);
    const openOrder = async (options?: VisitOptions) => {
      await send('PUT', '/security/authproviders/order', { order: ['default', 'directory'] });
      const visit = await openSignedIn('security/sign-in', options);
      await visit.page.waitForSelector('.sortable-item >> nth=1');
      return visit;
    };

    it('drags, tests a login in the order as drawn, and saves, by mouse', async () => {
      const { page } = await openOrder();
      const [from, to] = await Promise.all([
        page.locator('[data-key=directory] .sortable-handle').boundingBox(),
        page.locator('[data-key=default] .sortable-handle').boundingBox(),
      ]);
      await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
      await page.mouse.down();
      await page.mouse.move((to?.x ?? 0) + 8, to?.y ?? 0, { steps: 4 });
      await page.mouse.up();
      expect(await names(page)).toEqual(['directory', 'default']);

      await page.fill('[name=test-user]', reader[0] ?? '');
      await page.fill('[name=test-password]', reader[1] ?? '');
      await page.click('.test-login button');
      await page.waitForSelector('[data-provider=default][data-verdict=accepted] >> text=VIEWER');
      expect(await page.textContent('[data-provider=directory][data-verdict=refused]')).toMatch(/\d ms.*directory/);
      expect(await readOrder()).toEqual(['default', 'directory']);

      await page.click('text=Save order');
      await page.waitForSelector('.toast >> text=Undo');
      expect(await readOrder()).toEqual(['directory', 'default']);
    });

    it('moves with Space and arrow keys, announces each step, and saves, by keyboard only', async () => {
      const { page } = await openOrder();
      const announcement = () => page.textContent('[data-part=announcement]');
      await tabTo(page, '[data-key=directory] .sortable-handle');
      await page.keyboard.press('Space');
      const lifted = await announcement();
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => names(page)).toEqual(['directory', 'default']);
      const moved = await announcement();
      await page.keyboard.press('Escape');
      await expect.poll(() => names(page)).toEqual(['default', 'directory']);
      const cancelled = await announcement();
      await page.keyboard.press('Space');
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await expect.poll(announcement).toBe('directory is dropped at position 1 of 2.');
      await tabTo(page, '.security-buttons .button-primary');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.toast >> text=Undo');

      expect([lifted, moved, cancelled]).toEqual([
        'directory is lifted. Position 2 of 2.',
        'directory is at position 1 of 2.',
        'Cancelled. directory is back at position 2.',
      ]);
      expect(await readOrder()).toEqual(['directory', 'default']);
    });

    it('has buttons that move, and warns before users are locked out, at 360 pixels', async () => {
      const { page } = await openOrder({ viewport: phone });
      await page.click('[aria-label="Move directory up"]');
      await expect.poll(() => names(page)).toEqual(['directory', 'default']);
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Move directory up');
      await page.click('[aria-label="Disable default"]');
      await page.click('text=Save order');
      await page.waitForSelector('.dialog >> text=Users of default can no longer sign in.');
      await page.click('.dialog >> text=Cancel');

      expect(await findOverhang(page)).toBe(0);
      expect(await readOrder()).toEqual(['default', 'directory']);
    });

    it('creates a provider with the fields of its kind, and shows errors at their fields', async () => {
      const { page } = await openSignedIn('security/sign-in');
      await page.click('text=New provider');
      await page.selectOption('.dialog [name=kind]', 'oidc');
      await page.fill('.dialog [name=provider-name]', 'kc');
      await page.fill('.dialog [name=issuer]', 'ftp://idp.example');
      await page.fill('.dialog [name=audience]', 'maps');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.dialog [name=issuer][aria-invalid=true]');
      expect(await page.evaluate('document.activeElement.name')).toBe('issuer');
      expect(await page.locator('.dialog [name=serverURL]').count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.waitForSelector('.dialog', { state: 'detached' });
    });
  });

  describe('accounts', () => {
    it('creates a user with a role, disables and deletes it; no password appears in any reply', async () => {
      const { page, bodies } = await openSignedIn('security/users');
      await page.click('text=New user');
      await page.fill('[name=new-user]', 'nora');
      await page.fill('[name=new-password]', 'the secret of nora');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('h1:text-is("nora")');
      await page.click('[name=assigned-VIEWER]');
      await page.waitForSelector('.toast >> text=VIEWER is added.');
      expect(await read('/security/roles/user/nora')).toEqual({ roles: ['VIEWER'] });
      await page.click('.security-buttons >> text=Disable');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.security-badge-warning >> text=Disabled');
      await page.click('.security-buttons >> text=Delete');
      await page.waitForSelector('.dialog >> text=the roles VIEWER');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('h1:text-is("Users")');

      expect((await client.server.get('/security/usergroup/user/nora')).status).toBe(404);
      expect((await bodies()).filter((text) => text.includes('the secret of nora'))).toEqual([]);
    });

    it('warns an administrator before the own rights or the own account are removed', async () => {
      const second = (await addUser(client.server, 'second')).split(':');
      await send('POST', '/security/roles/role/ROLE_ADMINISTRATOR/user/second');
      const { page } = await openSignedIn('security/users/second', {}, second);
      await page.click('[name=assigned-ROLE_ADMINISTRATOR]');
      await page.waitForSelector('.dialog >> text=You would lose administrator rights');
      await page.click('.dialog >> text=Cancel');
      await page.waitForSelector('[name=assigned-ROLE_ADMINISTRATOR]:checked');
      await page.click('.security-buttons >> text=Disable');
      await page.waitForSelector('.dialog >> text=You would disable your own account');
      await page.click('.dialog >> text=Cancel');

      expect(await read('/security/roles/user/second')).toEqual({ roles: ['ROLE_ADMINISTRATOR'] });
    });

    it('changes the own password and goes on without a new sign-in', async () => {
      const first = (await addUser(client.server, 'mia')).split(':');
      const { page } = await openSignedIn('me', {}, first);
      await page.click('text=Change password');
      await page.fill('[name=own-password]', 'wrong');
      await page.fill('[name=new-password]', 'another password');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.dialog [role=alert]');
      await page.fill('[name=own-password]', first[1] ?? '');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.toast >> text=The password is changed.');
      await page.reload();
      await page.waitForSelector('.records >> text=this session');

      expect((await client.server.get('/security/self', { as: 'mia:another password' })).status).toBe(200);
      expect(await page.locator('.rail >> text=Security').count()).toBe(0);
    });

    it('creates a token whose secret is shown once, and revokes it', async () => {
      const { page } = await openSignedIn('me', {}, reader);
      await page.click('text=New token');
      await page.fill('[name=token-name]', 'ci');
      await page.fill('[name=own-password]', reader[1] ?? '');
      await page.click('.dialog [type=submit]');
      const secret = (await page.textContent('.token-secret code')) ?? '';
      const asToken = () =>
        fetch(new URL('../rest/security/self', getRoot()), { headers: { authorization: `Bearer ${secret}` } });
      expect([secret.slice(0, 4), (await asToken()).status]).toEqual(['grt_', 200]);
      await page.click('text=Done');
      await page.waitForSelector('.records >> text=ci');
      expect(await page.content()).not.toContain(secret);
      await page.click('[aria-label="Revoke ci"]');
      await page.fill('[name=own-password]', reader[1] ?? '');
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.toast >> text=ci is revoked.');

      expect((await asToken()).status).toBe(401);
    });
  });

  it('shows the keystore password on demand only', async () => {
    const { page, requests } = await openSignedIn('security/keystore');
    await page.waitForSelector('.security-facts');
    expect(requests.filter((request) => request.includes('masterpw'))).toEqual([]);
    await page.click('text=Show password');
    const { oldMasterPassword } = (await read('/security/masterpw')) as { oldMasterPassword: string };
    await page.waitForSelector('.token-secret');
    expect(await page.textContent('.token-secret')).toBe(oldMasterPassword);
    await page.click('text=Hide password');

    expect(await page.content()).not.toContain(oldMasterPassword);
  });

  it('changes the keystore password and rotates all keys', async () => {
    const { page } = await openSignedIn('security/keystore');
    await page.waitForSelector('.security-facts');
    const { oldMasterPassword: old } = (await read('/security/masterpw')) as { oldMasterPassword: string };
    const next = 'another keystore password';
    await page.click('text=Change password');
    await page.fill('[name=old-password]', 'wrong');
    await page.fill('[name=new-password]', next);
    await page.click('.dialog [type=submit]');
    await page.waitForSelector('.dialog [role=alert], .dialog .field-error');
    await page.fill('[name=old-password]', old);
    await page.click('.dialog [type=submit]');
    await page.waitForSelector('.dialog', { state: 'detached' });
    expect(await read('/security/masterpw')).toEqual({ oldMasterPassword: next });

    const readKeys = async () => {
      const { keystore } = (await read('/security/keystore')) as { keystore: Record<string, unknown> };
      return [keystore['dataKey'], keystore['serverKey']];
    };
    const before = await readKeys();
    const buttons = page.locator('.rotations .button');
    for (let index = 0; index < (await buttons.count()); index += 1) {
      if ((await buttons.nth(index).getAttribute('aria-disabled')) === 'true') continue;
      await buttons.nth(index).click();
      await page.click('.dialog [type=submit]');
      await page.waitForSelector('.dialog', { state: 'detached' });
    }
    const after = await readKeys();
    // The nodes of one database share a server key that their operator replaces.
    expect(after.map((key, index) => key === before[index])).toEqual([false, isOnPostgres]);
    await page.waitForSelector(`.security-facts >> text=${after[0]}`);
  });

  it('shows the place of an error in the condition of a data rule, and saves it corrected', async () => {
    const { page } = await openSignedIn('security/access?tab=data&rule=%2B');
    await page.fill('.dialog [name=name]', 'west');
    await page.fill('.dialog [name=layer]', `${shown.workspace}:${shown.layer}`);
    await page.check('.dialog label:has-text("VIEWER") input');
    await page.fill('.dialog [name=rows]', 'rank = 1 AND color = 2');
    await page.click('.dialog [type=submit]');
    await page.waitForSelector('.condition-place[data-column="14"] mark:text-is("color")');
    await page.fill('.dialog [name=rows]', 'rank = 1');
    await page.fill('.dialog [name=area]', 'POLYGON ((0 0, 1 0, 1 1, 0 0))');
    await page.click('.dialog [type=submit]');
    await page.waitForSelector('[data-rule=west]');

    expect(await read('/security/acl/data/west')).toMatchObject({
      dataRule: { rows: 'rank = 1', roles: ['VIEWER'], area: { mode: 'intersects', crs: 'EPSG:4326' } },
    });
    await page.click('[aria-label="Change west"]');
    await page.fill('.dialog [name=layer]', `${shown.workspace}:later`);
    await page.click('.dialog [type=submit]');
    await page.waitForSelector(`.toast >> text=Unknown layer '${shown.workspace}:later'`);
    await send('DELETE', '/security/acl/data/west');
  });

  it('changes the rights of a role in a workspace as one change', async () => {
    const { page } = await openSignedIn('security/access');
    await page.click(`[data-workspace=${shown.workspace}] [data-role=VIEWER]`);
    await page.check('.dialog [name=write]');
    await page.check('.dialog [name=admin]');
    await page.waitForSelector('.planned-rule >> nth=1');
    await page.click('.dialog [type=submit]');
    await page.waitForSelector('.toast >> text=Undo');
    expect(await read('/security/acl/layers')).toMatchObject({ 'city.*.w': 'VIEWER', 'city.*.a': 'CITY,VIEWER' });
    await page.click('.toast >> text=Undo');
    await page.waitForSelector('.toast >> text=is undone');

    expect(await read('/security/acl/layers')).toMatchObject({ 'city.*.a': 'CITY' });
  });

  it('shows data stewards neither the area nor its pages, and requests nothing for them', async () => {
    const { page, bodies, requests } = await openSignedIn('', {}, steward);
    expect(await page.locator('.rail >> text=Security').count()).toBe(0);
    for (const address of ['access', 'users', 'users/vera', 'roles', 'sign-in', 'url-checks', 'keystore']) {
      await page.goto(new URL(`security/${address}`, getRoot()).href);
      await page.waitForSelector('.empty >> text=Only administrators');
    }
    await page.goto(new URL(`${layerAddress}?tab=access`, getRoot()).href);
    await page.waitForSelector('.map-canvas');
    expect(await page.locator('.tabs >> text=Access').count()).toBe(0);

    const paths = requests.filter((request) => /urlchecks|configuration|security\/(?!self|signin)/.test(request));
    expect(paths.filter((request) => !request.includes('/console/'))).toEqual([]);
    expect((await bodies()).filter((text) => text.includes(SECRET_WORKSPACE))).toEqual([]);
  });

  describe('accessibility', () => {
    /** Pages, and what opens a dialog on them. */
    const pages: readonly (readonly [...CheckedPage, opener?: string])[] = [
      ['me', '.records', 'text=New token'],
      [`${layerAddress}?tab=access&user=vera`, '[data-user=vera]', `${matrix} button`],
      ['security/access', '.workspace-matrix tbody', '.workspace-cell'],
      ['security/access?tab=data', '[data-rule]', '[aria-label^="Change"]'],
      ['security/access?tab=services', '.empty', 'text=New rule'],
      ['security/access?tab=rest', '.empty', 'text=New rule'],
      ['security/access?tab=view', '.view-as-layers'],
      ['security/users', '.records', 'text=New user'],
      ['security/users/vera', '[name=assigned-VIEWER]', 'text=Set password'],
      ['security/groups', '.records', '[aria-label^="Delete"]'],
      [`security/groups/${encodeURIComponent(MARKUP)}`, '[name=assigned-vera]'],
      ['security/roles', '.records', '[aria-label="Delete VIEWER"]'],
      ['security/tokens', '.records'],
      ['security/sign-in', '.sortable-item', 'text=New provider'],
      ['security/url-checks?url=https://icons.example/', '.url-verdict[data-allowed]', '[aria-label="Change icons"]'],
      ['security/keystore', '.rotations', 'text=Change password'],
    ];
    const checked = pages.map(([address, selector]): CheckedPage => [address, selector]);

    it('axe finds no violation on any page and in any dialog', async () => {
      const { page } = await openSignedIn('me');
      await checkPages(page, checked, async (address, check) => {
        const [, , opener] = pages.find(([each]) => each === address) ?? [];
        if (opener === undefined) return;
        await page.click(`${opener} >> nth=0`);
        await page.waitForSelector('dialog[open]');
        await check('dialog');
        await page.keyboard.press('Escape');
      });
    });

    it('axe finds no violation on any page: phone', async () => {
      const { page } = await openSignedIn('me', { viewport: phone });
      await checkPages(page, checked);
    });
  });
});

/** Presses Tab until the focus is on the element, as a user without a mouse does. */
async function tabTo(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(`${selector}:not(:disabled)`);
  for (let presses = 0; presses < 150; presses += 1) {
    const isThere = `document.querySelector(${JSON.stringify(selector)}) === document.activeElement`;
    if (await page.evaluate(isThere)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}
