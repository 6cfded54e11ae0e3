/** Everything is read, deleted, and created again from the documents: the catalog must be equal to the original. */
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../../src/interface/common/dialects.ts';
import { cascadedWords, withMapServer } from '../support/capabilities.ts';
import { furnish, must, send, settingsPaths, USER_PASSWORD, unfurnish } from '../support/furnished-server.ts';
import { SLD_TYPE } from '../support/styles.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Format = 'json' | 'xml';

/** The documents by path; styles also in their style language. */
type Export = ReadonlyMap<string, string>;

const ruleFamilies = ['layers', 'services', 'rest'];
const userGroup = '/security/usergroup';

/** The names in a list of this item type, in either format. */
function namesIn(text: string, format: Format, called = 'name'): readonly string[] {
  if (format === 'xml') {
    return [...text.matchAll(new RegExp(`<${called}>([^<]*)</${called}>`, 'g'))].map(([, name = '']) => name);
  }
  const names: string[] = [];
  JSON.parse(text, (key, value: unknown) => {
    if (key === called || key === `${called}s`) {
      names.push(...[value].flat().filter((each): each is string => typeof each === 'string'));
    }
    return value;
  });
  return names;
}

/** Collections, each nested in the resources of the previous ones. */
async function readAll(server: TestServer, format: Format): Promise<Export> {
  const found = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const { text } = await must(server.get(`${path}.${format}`), `GET ${path}.${format}`);
    found.set(path, text);
    return text;
  };
  const listed = async (collection: string, called?: string): Promise<readonly string[]> => {
    const { text } = await must(server.get(`${collection}.${format}`), `GET ${collection}.${format}`);
    return namesIn(text, format, called);
  };
  const each = async (collection: string): Promise<readonly string[]> => {
    const paths = (await listed(collection)).map((name) => `${collection}/${name}`);
    for (const path of paths) await read(path);
    return paths;
  };
  const eachStyle = async (collection: string) => {
    for (const path of await each(collection)) {
      found.set(`${path}.sld`, (await must(server.get(`${path}.sld`), path)).text);
    }
  };
  await eachStyle('/styles');
  for (const workspace of await each('/workspaces')) {
    await read(workspace.replace('/workspaces', '/namespaces'));
    await eachStyle(`${workspace}/styles`);
    for (const store of await each(`${workspace}/datastores`)) await each(`${store}/featuretypes`);
    for (const store of await each(`${workspace}/coveragestores`)) await each(`${store}/coverages`);
    for (const { stores, inStore } of cascadedWords) {
      for (const store of await each(`${workspace}/${stores}`)) await each(`${store}/${inStore}`);
    }
    await each(`${workspace}/layergroups`);
  }
  for (const collection of ['/layers', '/layergroups', '/urlchecks', '/security/usergroupservices']) {
    await each(collection);
  }
  for (const provider of ['default', 'directory']) await read(`/security/authproviders/${provider}`);
  for (const root of [userGroup, `${userGroup}/service/club`]) {
    for (const name of await listed(`${root}/users`, 'userName')) await read(`${root}/user/${name}`);
  }
  for (const group of await listed(`${userGroup}/groups`, 'group')) {
    await read(`${userGroup}/group/${group}/users`);
    await read(`/security/roles/group/${group}`);
  }
  await read('/security/roles');
  await read('/security/roles/user/ann');
  for (const path of [
    '/workspaces/default',
    '/security/authproviders',
    '/gridsets/local',
    '/storedqueries/urn:example:big',
    '/workspaces/acme/storedqueries/big',
    '/tilelayers/acme:towns',
    ...ruleFamilies.map((family) => `/security/acl/${family}`),
    '/security/acl/catalog',
    ...settingsPaths,
  ]) {
    await read(path);
  }
  return found;
}

/** Creates resources from the documents alone, each at its collection. */
async function createAll(server: TestServer, exported: Export, format: Format): Promise<void> {
  const type = format === 'json' ? 'application/json' : 'application/xml';
  const of = (pattern: RegExp) => [...exported].filter(([path]) => pattern.test(path));
  const post = async (pattern: RegExp) => {
    for (const [path, document] of of(pattern)) {
      await send(server, 'POST', path.slice(0, path.lastIndexOf('/')), document, type);
    }
  };
  const put = async (pattern: RegExp) => {
    for (const [path, document] of of(pattern)) await send(server, 'PUT', path, document, type);
  };
  await post(/^\/urlchecks\/[^/]+$/);
  await post(/^\/workspaces\/(?!default$)[^/]+$/);
  await put(/^\/namespaces\/[^/]+$/);
  await put(/^\/workspaces\/default$/);
  for (const [path, sld] of of(/\.sld$/)) {
    const style = path.replace(/\.sld$/, '');
    if ((await server.get(`${style}.json`)).status === 200) continue;
    await send(server, 'POST', style.slice(0, style.lastIndexOf('/')), exported.get(style) ?? '', type);
    await send(server, 'PUT', style, sld, SLD_TYPE);
  }
  await post(/\/(?:data|coverage|wms|wmts)stores\/[^/]+$/);
  await post(/stores\/[^/]+\/(?:featuretypes|coverages|wmslayers|layers)\/[^/]+$/);
  await put(/^\/layers\/[^/]+$/);
  await post(/^\/workspaces\/[^/]+\/layergroups\/[^/]+$/);
  await post(/^\/layergroups\/[^/]+$/);
  await put(/^\/gridsets\/local$/);
  await post(/\/storedqueries\/[^/]+$/);
  await put(/^\/tilelayers\//);
  for (const path of settingsPaths) await send(server, 'PUT', path, exported.get(path) ?? '', type);
  await createAccounts(server, exported, format);
  await put(/^\/security\/acl\/catalog$/);
  for (const family of ruleFamilies) {
    await send(server, 'POST', `/security/acl/${family}`, exported.get(`/security/acl/${family}`) ?? '', type);
  }
}

/** Documents contain no passwords, so migrated users need new ones. */
function withPassword(user: string, format: Format): string {
  return format === 'xml'
    ? user.replace('</user>', `<password>${USER_PASSWORD}</password></user>`)
    : user.replace('"userName"', `"password":"${USER_PASSWORD}","userName"`);
}

async function createAccounts(server: TestServer, exported: Export, format: Format): Promise<void> {
  const type = format === 'json' ? 'application/json' : 'application/xml';
  const act = (path: string) => send(server, 'POST', path);
  const namesAt = (path: string, called: string) => namesIn(exported.get(path) ?? '', format, called);
  await send(
    server,
    'POST',
    '/security/usergroupservices',
    exported.get('/security/usergroupservices/club') ?? '',
    type,
  );
  for (const [path, user] of exported) {
    const [, root, name] = /^(\/security\/usergroup.*)\/user\/([^/]+)$/.exec(path) ?? [];
    if (name !== undefined && name !== 'admin')
      await send(server, 'POST', `${root}/users`, withPassword(user, format), type);
  }
  await act(`${userGroup}/group/crew`);
  for (const name of namesAt(`${userGroup}/group/crew/users`, 'userName'))
    await act(`${userGroup}/user/${name}/group/crew`);
  const builtIn = new Set(namesIn((await server.get(`/security/roles.${format}`)).text, format, 'role'));
  for (const role of namesAt('/security/roles', 'role').filter((each) => !builtIn.has(each))) {
    await act(`/security/roles/role/${role}`);
  }
  for (const holder of ['user/ann', 'group/crew']) {
    for (const role of namesAt(`/security/roles/${holder}`, 'role'))
      await act(`/security/roles/role/${role}/${holder}`);
  }
  await send(server, 'POST', '/security/authproviders', exported.get('/security/authproviders/directory') ?? '', type);
}

/**
 * Omits creation dates and change numbers, internal ids, and layer defaults that are listed only after the first
 * change.
 */
const ofNoAccount = [
  /\s*<date(Created|Modified)>[^<]*<\/date\1>/g,
  /,?"date(?:Created|Modified)":"[^"]*"/g,
  /\s*<queryable>true<\/queryable>|\s*<opaque>false<\/opaque>/g,
  /,"queryable":true|,"opaque":false/g,
  /<updateSequence>\d+|"updateSequence":\d+/g,
  /<id>[^<]*<\/id>|"id":"[^"]*"/g,
];

function essenceOf(exported: Export): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...exported].map(([path, text]) => [path, ofNoAccount.reduce((left, pattern) => left.replace(pattern, ''), text)]),
  );
}

describe.each(['graticule', 'geoserver'] satisfies DialectName[])('the catalog in the dialect %s', (compat) => {
  it.each(['json', 'xml'] as const)('the catalog is equal after a round trip in %s', async (format) => {
    await withMapServer(async (maps) => {
      const server = await startTestServer({ compat });
      try {
        await furnish(server, maps);
        const before = await readAll(server, format);

        await unfurnish(server);
        expect((await server.get('/workspaces.json')).text).not.toContain('acme');
        expect((await server.get('/settings.json')).text).not.toContain('Ann');
        expect((await server.get(`${userGroup}/users.json`)).text).not.toContain('ann');
        await createAll(server, before, format);

        expect(before.size).toBeGreaterThan(60);
        expect(essenceOf(await readAll(server, format))).toEqual(essenceOf(before));
      } finally {
        await server.close();
      }
    });
  });
});
