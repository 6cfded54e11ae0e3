/** A server with objects of every kind in two states, which one change switches. */
import { recordKinds } from '../../src/server/storage/record-kinds.ts';
import type { ChangedState, ChangeItem, RecordDraft, WriteTransaction } from '../../src/storage/port/port.ts';
import { inJson } from './auth-providers.ts';
import { cascadedWords, withMapServer } from './capabilities.ts';
import { drafts, waterSchema } from './granules.ts';
import { groupOf } from './layer-groups.ts';
import { addMosaic, harvestMosaic } from './mosaics.ts';
import { storedQuery } from './stored-queries.ts';
import { createStylePackage, lineSld, pictureSld, SLD_TYPE, tinyPng, ZIP_TYPE } from './styles.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';
import { addUser } from './test-users.ts';
import { geotiffBytes } from './tiff-bytes.ts';
import { pointShapefile, polygonShapefile, zipOf } from './vector-samples.ts';

export type StateName = 'first' | 'second';

export interface TwoStates {
  readonly server: TestServer;
  /** Credentials of a user whose view depends on the rules of the current state. */
  readonly keeper: string;
  readonly keystorePasswords: Readonly<Record<StateName, string>>;
  current(): StateName;
  /** The state created by the change of this number. */
  stateAt(position: number): StateName | undefined;
  /** Switches to the other state in one change. */
  toggle(): Promise<void>;
}

/** Logins are cached until this changes: verifying a password after each change would dominate the run time. */
const LEFT_ALONE = 'securityState';

const serviceClass = 'org.geoserver.security.xml.XMLUserGroupService';
const nextPassword = 'Another-keystore-password-1';

export async function startWithTwoStates(): Promise<TwoStates> {
  const now = Date.UTC(2026, 0, 2);
  const server = await startTestServer({ clock: () => now });
  const { storage } = server.server;
  const keeper = await furnish(server);
  const firstPosition = storage.position();
  const keystorePassword = await changeEverything(server);
  const items = changedItems((await storage.listSealedChanges(firstPosition, 1_000)).flatMap((entry) => entry.items));
  const secondPosition = storage.position();
  let current: StateName = 'second';
  const states = new Map<number, StateName>([[secondPosition, current]]);

  return {
    server,
    keeper,
    keystorePasswords: { first: keystorePassword, second: nextPassword },
    current: () => current,
    stateAt: (position) => states.get(position),
    async toggle() {
      const next = current === 'first' ? 'second' : 'first';
      const ordered = next === 'first' ? items.toReversed() : items;
      const { change } = await storage.write(
        { who: 'tester', what: `make it the ${next} state` },
        async (transaction) => {
          for (const { id, kind, before, after } of ordered) {
            await exchange(
              transaction,
              { id, createdAtMs: now },
              kind,
              next === 'first' ? [after, before] : [before, after],
            );
          }
        },
      );
      current = next;
      states.set(change ?? 0, current);
    },
  };
}

/** Creates the first state; returns the credentials of its keeper. */
async function furnish(server: TestServer): Promise<string> {
  await post(server, '/workspaces', '{"workspace":{"name":"acme","metadata":{"entry":[{"@key":"a","$":"1"}]}}}');
  await post(server, '/workspaces', '{"workspace":{"name":"other"}}');
  await send(
    server,
    'PUT',
    '/workspaces/acme/datastores/shapes/file.shp?configure=all',
    ZIP_TYPE,
    zipOf({ places: pointShapefile(), paths: pointShapefile() }),
  );
  await send(
    server,
    'PUT',
    '/workspaces/acme/datastores/more/file.shp',
    ZIP_TYPE,
    zipOf({ areas: polygonShapefile() }),
  );
  await send(
    server,
    'PUT',
    '/workspaces/other/datastores/forms/file.shp',
    ZIP_TYPE,
    zipOf({ places: polygonShapefile() }),
  );
  await put(server, '/workspaces/acme/datastores/shapes', '{"dataStore":{"description":"first"}}');
  for (const store of ['acme/coveragestores/relief', 'acme/coveragestores/shade', 'other/coveragestores/depth']) {
    await send(server, 'PUT', `/workspaces/${store}/file.geotiff`, 'image/tiff', geotiffBytes(20, 10));
  }
  const waiting = '/workspaces/acme/coveragestores/waiting/file.geotiff?configure=none';
  await send(server, 'PUT', waiting, 'image/tiff', geotiffBytes(20, 10));
  await addMosaic(server, 'acme', 'ocean', [{ schema: waterSchema, granules: drafts(3) }]);

  await send(server, 'POST', '/styles?name=red', SLD_TYPE, lineSld('red'));
  await send(server, 'POST', '/styles?name=pinned', ZIP_TYPE, pinned('first', 10));
  await send(server, 'POST', '/workspaces/acme/styles?name=local', SLD_TYPE, lineSld('local'));
  await put(
    server,
    '/layers/acme:places',
    '{"layer":{"defaultStyle":{"name":"red"},"styles":{"style":[{"name":"pinned"},{"name":"local"}]}}}',
  );
  await put(server, '/layers/other:places', '{"layer":{"defaultStyle":{"name":"pinned"}}}');

  await post(server, '/workspaces/acme/layergroups', groupOf('near', ['places', 'areas'], { title: 'first' }));
  await post(
    server,
    '/layergroups',
    groupOf('base', ['acme:paths', 'other:places', 'group acme:near'], { styles: { style: ['', 'red', ''] } }),
  );

  for (const name of ['maps', 'test']) {
    await post(
      server,
      '/urlchecks',
      JSON.stringify({ regexUrlCheck: { name, regex: '^http://first/.*$', enabled: true } }),
    );
  }

  const gridSet = { srs: { number: 2056 }, extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] } };
  await put(server, '/gridsets/local', JSON.stringify({ gridSet: { ...gridSet, levels: 5 } }));

  await post(server, '/storedqueries', JSON.stringify(storedQuery('urn:example:big')));
  await post(server, '/workspaces/acme/storedqueries', JSON.stringify(storedQuery('big')));
  await put(server, '/tilelayers/acme:places', '{"GeoServerLayer":{"gridSubsets":[{"gridSetName":"local"}]}}');
  await put(server, '/tilelayers/base', '{"GeoServerLayer":{"gutter":1}}');

  await post(server, '/webhooks', '{"webhook":{"name":"ci","url":"http://first/hook","enabled":false}}');

  await post(server, '/security/acl/data', '{"dataRule":{"name":"staff","layer":"acme:places","roles":["ADMIN"]}}');

  await setEverything(server, 'first');
  await post(
    server,
    '/urlchecks',
    '{"regexUrlCheck":{"name":"here","regex":"^http://127\\\\.0\\\\.0\\\\.1:.*$","enabled":true}}',
  );
  await withMapServer(async (url) => {
    for (const { stores, store, inStore, layer } of cascadedWords) {
      const collection = `/workspaces/acme/${stores}`;
      for (const name of [`near-${store}`, `far-${store}`]) {
        await post(server, collection, JSON.stringify({ [store]: { name, capabilitiesURL: `${url}${stores}` } }));
      }
      for (const name of ['roads', 'rivers']) {
        const draft = { name: `${name}-${store}`, nativeName: name };
        await post(server, `${collection}/near-${store}/${inStore}`, JSON.stringify({ [layer]: draft }));
      }
    }
  });

  const keeper = await addUser(server, 'keeper', 'KEEPER');
  await addUser(server, 'ann', 'READER');
  const userGroup = '/security/usergroup';
  await post(server, '/security/usergroupservices', JSON.stringify({ name: 'club', className: serviceClass }));
  await post(server, `${userGroup}/service/club/users`, '{"userName":"bob","password":"p"}');
  for (const group of ['crew', 'guests']) {
    await act(server, 'POST', `${userGroup}/group/${group}`);
    await act(server, 'POST', `${userGroup}/service/club/group/${group}`);
  }
  await act(server, 'POST', `${userGroup}/user/ann/group/crew`);
  await act(server, 'POST', `${userGroup}/service/club/user/bob/group/crew`);
  await act(server, 'POST', '/security/roles/role/KEEPER/group/crew');
  for (const name of ['one', 'two']) {
    await post(server, '/security/authproviders', inJson(name));
  }

  await post(server, '/security/acl/layers', '{"other.*.a":"KEEPER","*.*.r":"READER","other.places.r":"KEEPER"}');
  await post(server, '/security/acl/services', '{"wfs.*":"KEEPER","wms.GetMap":"READER"}');
  await post(server, '/security/acl/rest', '{"/nowhere/**:GET":"KEEPER","/elsewhere/**:PUT":"READER"}');
  await put(server, '/security/acl/catalog', '{"mode":"HIDE"}');
  return keeper;
}

/** Creates the second state from the first; returns the keystore password of the first. */
async function changeEverything(server: TestServer): Promise<string> {
  await put(server, '/workspaces/acme', '{"workspace":{"metadata":{"entry":[{"@key":"a","$":"2"}]}}}');
  await setEverything(server, 'second');
  await put(server, '/namespaces/acme', '{"namespace":{"uri":"http://acme.example/second"}}');
  await put(server, '/workspaces/default', '{"workspace":{"name":"other"}}');
  await put(server, '/workspaces/other', '{"workspace":{"name":"another"}}');
  await post(server, '/workspaces', '{"workspace":{"name":"extra"}}');
  await put(server, '/workspaces/acme/datastores/shapes', '{"dataStore":{"description":"second"}}');
  await put(server, '/workspaces/acme/datastores/more', '{"dataStore":{"name":"fewer","_default":true}}');
  await put(
    server,
    '/workspaces/acme/datastores/shapes/featuretypes/places',
    '{"featureType":{"title":"second","nativeName":"places"}}',
  );
  for (const folder of ['templates', ...['', '/shapes', '/shapes/places'].map((path) => `workspaces/acme${path}`)]) {
    await send(server, 'PUT', `/resource/${folder}/second.ftl`, 'text/plain', 'second');
  }
  await act(server, 'DELETE', '/workspaces/acme/featuretypes/paths?recurse=true');
  await put(server, '/workspaces/acme/featuretypes/areas', '{"featureType":{"name":"fields"}}');
  await send(server, 'PUT', '/workspaces/acme/coveragestores/relief/file.geotiff', 'image/tiff', geotiffBytes(40, 20));
  await put(server, '/workspaces/acme/coveragestores/relief', '{"coverageStore":{"description":"second"}}');
  await put(server, '/workspaces/acme/coveragestores/relief/coverages/relief', '{"coverage":{"title":"second"}}');
  await post(
    server,
    '/workspaces/acme/coveragestores/relief/coverages',
    '{"coverage":{"name":"again","nativeCoverageName":"relief"}}',
  );
  await post(server, '/workspaces/acme/coveragestores/waiting/coverages', '{"coverage":{"name":"waiting"}}');
  await put(server, '/workspaces/acme/coveragestores/shade', '{"coverageStore":{"name":"shadow"}}');
  await harvestMosaic(server, 'acme', 'ocean', { schema: waterSchema, granules: drafts(5) });

  for (const { stores, store, inStore, layer } of cascadedWords) {
    const near = `/workspaces/acme/${stores}/near-${store}`;
    await put(server, near, JSON.stringify({ [store]: { description: 'second' } }));
    await put(server, `${near}/${inStore}/roads-${store}`, JSON.stringify({ [layer]: { title: 'second' } }));
    await act(server, 'DELETE', `${near}/${inStore}/rivers-${store}?recurse=true`);
    await act(server, 'DELETE', `/workspaces/acme/${stores}/far-${store}`);
  }

  await put(server, '/styles/red', '{"style":{"name":"crimson"}}');
  await send(server, 'PUT', '/styles/pinned', ZIP_TYPE, pinned('second', 20));
  await put(server, '/styles/pinned', '{"style":{"metadata":{"entry":[{"@key":"a","$":"2"}]}}}');
  await put(server, '/workspaces/acme/styles/local', '{"style":{"metadata":{"entry":[{"@key":"a","$":"2"}]}}}');
  await send(server, 'POST', '/workspaces/acme/styles?name=added', SLD_TYPE, lineSld('added'));
  await send(server, 'PUT', '/workspaces/acme/styles/local', SLD_TYPE, lineSld('local', '#00ff00'));
  await put(
    server,
    '/layers/acme:places',
    '{"layer":{"defaultStyle":{"name":"pinned"},"styles":{"style":[{"name":"local"},{"name":"crimson"}]},"opaque":true}}',
  );

  await put(server, '/workspaces/acme/layergroups/near', '{"layerGroup":{"title":"second"}}');
  await post(server, '/workspaces/acme/layergroups', groupOf('more', ['places']));
  await post(server, '/layergroups', groupOf('extra', ['acme:places']));

  await put(server, '/security/acl/data/staff', '{"dataRule":{"attributes":{"*":"read"}}}');
  await post(server, '/security/acl/data', '{"dataRule":{"name":"more","layer":"acme:*","roles":["*"]}}');
  const second = { srs: { number: 2056 }, extent: { coords: [2_420_000, 1_030_000, 2_900_000, 1_350_000] }, levels: 9 };
  await put(server, '/gridsets/local', JSON.stringify({ gridSet: { ...second, description: 'second' } }));
  const more = '{"gridSet":{"srs":{"number":2056},"extent":{"coords":[0,0,1,1]},"levels":1}}';
  await put(server, '/gridsets/more', more);
  await put(server, '/storedqueries/urn:example:big', '{"storedQuery":{"title":"second"}}');
  await post(server, '/storedqueries', JSON.stringify(storedQuery('more')));
  await put(server, '/workspaces/acme/storedqueries/big', '{"storedQuery":{"isPrivate":true}}');
  await post(server, '/workspaces/acme/storedqueries', JSON.stringify(storedQuery('more')));
  await put(server, '/tilelayers/acme:places', '{"GeoServerLayer":{"enabled":false,"expireCache":60}}');
  await put(server, '/tilelayers/base', '{"GeoServerLayer":{"gutter":2}}');
  await put(server, '/tilelayers/acme:near', '{"GeoServerLayer":{"metaWidthHeight":[1,1]}}');
  await post(server, '/webhooks', '{"webhook":{"name":"more","url":"http://first/hook","enabled":false}}');
  for (const name of ['maps', 'test']) {
    await put(server, `/urlchecks/${name}`, '{"regexUrlCheck":{"regex":"^http://second/.*$","enabled":false}}');
  }
  await post(server, '/urlchecks', '{"regexUrlCheck":{"name":"extra","regex":"^http://extra/.*$"}}');

  const userGroup = '/security/usergroup';
  await post(server, `${userGroup}/user/ann`, '{"enabled":false}');
  await post(server, `${userGroup}/service/club/user/bob`, '{"enabled":false}');
  await act(server, 'POST', `${userGroup}/group/visitors`);
  await act(server, 'POST', `${userGroup}/service/club/group/visitors`);
  await act(server, 'DELETE', `${userGroup}/user/ann/group/crew`);
  await act(server, 'POST', `${userGroup}/user/ann/group/guests`);
  await act(server, 'POST', `${userGroup}/user/keeper/group/crew`);
  await act(server, 'DELETE', `${userGroup}/service/club/user/bob/group/crew`);
  await act(server, 'POST', `${userGroup}/service/club/user/bob/group/visitors`);
  await act(server, 'POST', '/security/roles/role/WRITER');
  await act(server, 'POST', '/security/roles/role/WRITER/user/ann');
  await act(server, 'DELETE', '/security/roles/role/READER/user/ann');
  await act(server, 'POST', '/security/roles/role/WRITER/group/crew');
  await post(server, '/security/usergroupservices', JSON.stringify({ name: 'troop', className: serviceClass }));
  await put(server, '/security/authproviders/one', '{"userGroupServiceName":"club"}');
  await put(server, '/security/authproviders/order', '["two","default"]');

  await put(server, '/security/acl/layers', '{"*.*.r":"WRITER"}');
  await post(server, '/security/acl/layers', '{"acme.*.a":"KEEPER"}');
  await put(server, '/security/acl/services', '{"wfs.*":"WRITER","wms.GetMap":"WRITER"}');
  await put(server, '/security/acl/rest', '{"/nowhere/**:GET":"WRITER","/elsewhere/**:PUT":"WRITER"}');
  await put(server, '/security/acl/catalog', '{"mode":"CHALLENGE"}');

  const { oldMasterPassword } = (await server.get('/security/masterpw.json')).json() as { oldMasterPassword: string };
  await put(server, '/security/masterpw', JSON.stringify({ oldMasterPassword, newMasterPassword: nextPassword }));
  return oldMasterPassword;
}

/** The settings of all objects that have settings. */
async function setEverything(server: TestServer, title: string): Promise<void> {
  await put(server, '/settings', JSON.stringify({ global: { settings: { title } } }));
  await put(server, '/logging', JSON.stringify({ logging: { location: title } }));
  await put(server, '/settings/contact', JSON.stringify({ contact: { contactPerson: title } }));
  await put(server, '/workspaces/acme/settings', JSON.stringify({ settings: { title } }));
  await put(server, '/services/wms/settings', JSON.stringify({ wms: { title } }));
  await put(server, '/services/wfs/workspaces/acme/settings', JSON.stringify({ wfs: { title } }));
}

/** The net change of each record across all of these changes, in the order of first modification. */
function changedItems(items: readonly ChangeItem[]): readonly ChangeItem[] {
  const net = new Map<string, ChangeItem>();
  for (const item of items.filter(({ kind }) => kind !== LEFT_ALONE)) {
    net.set(item.id, { ...item, before: (net.get(item.id) ?? item).before });
  }
  return [...net.values()];
}

async function exchange(
  transaction: WriteTransaction,
  former: { readonly id: string; readonly createdAtMs: number },
  kind: string,
  [from, to]: readonly [ChangedState | null, ChangedState | null],
): Promise<void> {
  if (to === null) {
    await transaction.remove(former.id);
  } else if (from === null) {
    await transaction.restore(createDraft(kind, to), former);
  } else {
    await transaction.update(former.id, createDraft(kind, to));
  }
}

function createDraft(kind: string, state: ChangedState): RecordDraft {
  const rules = recordKinds.find((each) => each.kind === kind);
  if (rules === undefined) throw new Error(`There are no records of the kind ${kind}`);
  return { kind, ...state, ...rules.index(state) };
}

/** A style package with an image of this gray value. */
function pinned(name: string, grey: number): Buffer {
  return createStylePackage({ 'pinned.sld': pictureSld(name, 'pin.png'), 'pin.png': tinyPng(grey) });
}

async function post(server: TestServer, path: string, body: string): Promise<void> {
  succeeded(`POST ${path}`, await server.post(path, body));
}

async function put(server: TestServer, path: string, body: string): Promise<void> {
  succeeded(`PUT ${path}`, await server.put(path, body));
}

async function act(server: TestServer, method: string, path: string): Promise<void> {
  succeeded(`${method} ${path}`, await server.request(method, path));
}

async function send(
  server: TestServer,
  method: string,
  path: string,
  type: string,
  body: string | Buffer,
): Promise<void> {
  succeeded(`${method} ${path}`, await server.request(method, path, { type, body }));
}

function succeeded(what: string, { status, text }: Reply): void {
  if (status >= 300) throw new Error(`${what} answered ${status}: ${text}`);
}
