/** Locks of features in all versions of WFS. */
import { beforeEach, describe, expect, it } from 'vitest';
import { column, geometryColumn, wkt } from '../../../../test/support/feature-collections.ts';
import { FEATURES } from '../../../../test/support/features.ts';
import { publishEditableTables, publishTables } from '../../../../test/support/published-features.ts';
import { isOnPostgres } from '../../../../test/support/shared-storage.ts';
import { type Reply, useTestServer } from '../../../../test/support/test-server.ts';
import { addUser } from '../../../../test/support/test-users.ts';

let nowMs = Date.parse('2026-05-01T00:00:00Z');
const server = useTestServer({ clock: () => nowMs });

let made = 0;
/** Each test has its own workspace. */
let workspace = '';

const towns = {
  name: 'towns',
  attributes: [geometryColumn('Point'), column('name', 'string')],
  rows: [
    [wkt('POINT (7.5 47)'), 'Bern'],
    [wkt('POINT (8.5 47.4)'), 'Zürich'],
    [wkt('POINT (6.1 46.2)'), 'Genf'],
  ],
};

beforeEach(async () => {
  made += 1;
  workspace = `locks${made}`;
  await publishEditableTables(server, workspace, [towns], 'towns');
});

const versions = ['1.0.0', '1.1.0', '2.0.0'] as const;
type Version = (typeof versions)[number];

function postDocument(version: Version, name: string, attributes: string, content: string, as?: string | null) {
  const [wfs, filter] =
    version === '2.0.0'
      ? ['http://www.opengis.net/wfs/2.0', 'http://www.opengis.net/fes/2.0']
      : ['http://www.opengis.net/wfs', 'http://www.opengis.net/ogc'];
  const body = `<wfs:${name} service="WFS" version="${version}" ${attributes} xmlns:wfs="${wfs}" xmlns:f="${filter}" xmlns:t="http://${workspace}">${content}</wfs:${name}>`;
  return server.post('//geoserver/wfs', body, { type: 'text/xml', ...(as === undefined ? {} : { as }) });
}

function writeFilter(version: Version, ids: readonly number[]): string {
  const list = ids.map((id) =>
    version === '2.0.0' ? `<f:ResourceId rid="towns.${id}"/>` : `<f:FeatureId fid="towns.${id}"/>`,
  );
  return `<f:Filter>${list.join('')}</f:Filter>`;
}

function writeQuery(version: Version, ids: readonly number[], name = version === '2.0.0' ? 'Query' : 'Lock'): string {
  const attribute = version === '2.0.0' ? 'typeNames' : 'typeName';
  return `<wfs:${name} ${attribute}="t:towns">${writeFilter(version, ids)}</wfs:${name}>`;
}

const lock = (version: Version, ids: readonly number[], attributes = '', as?: string) =>
  postDocument(version, 'LockFeature', attributes, writeQuery(version, ids), as);

const getPairs = (query: string, as?: string) =>
  server.get(`//geoserver/wfs?service=WFS&typeName=${workspace}:towns&${query}`, as === undefined ? {} : { as });

function rename(
  version: Version,
  id: number,
  { attributes = '', more = '', name = 'New' } = {},
  as?: string,
): Promise<Reply> {
  const reference = version === '2.0.0' ? 'ValueReference' : 'Name';
  const update = `<wfs:Update typeName="t:towns"><wfs:Property><wfs:${reference}>name</wfs:${reference}><wfs:Value>${name}</wfs:Value></wfs:Property>${writeFilter(version, [id])}</wfs:Update>`;
  return postDocument(version, 'Transaction', attributes, `${more}${update}`, as);
}

function readLockId({ text }: Reply): string {
  const id = /(?:lockId="|"lockId":"|LockId>)([0-9a-f-]{36})/.exec(text)?.[1];
  if (id === undefined) throw new Error(`no lock in ${text}`);
  return id;
}

/** A transaction with a lock: as an element before 2.0.0, and as an attribute since then. */
const useLock = (version: Version, id: string, release = 'ALL') =>
  version === '2.0.0'
    ? { attributes: `lockId="${id}" releaseAction="${release}"` }
    : { attributes: `releaseAction="${release}"`, more: `<wfs:LockId>${id}</wfs:LockId>` };

const isRefused = (version: Version) => (version === '2.0.0' ? 400 : 200);

describe.each(versions)('locks of WFS %s', (version) => {
  it('refuse changes of others until a transaction with the lock', async () => {
    const reply = await lock(version, [1, 2]);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/xml;charset=utf-8');
    expect(reply.text).toMatch(/<wfs:FeaturesLocked><.*"towns.1"\/><.*"towns.2"\/><\/wfs:FeaturesLocked>/);
    const id = readLockId(reply);

    const refused = await rename(version, 1);
    expect(refused.status).toBe(isRefused(version));
    expect(refused.text).toContain(
      'code="InvalidParameterValue"'.replace('code', version === '1.0.0' ? 'code' : 'exceptionCode'),
    );
    expect(refused.text).toContain("The feature 'towns.1' is locked.");
    const patch = { type: 'application/merge-patch+json', body: '{"properties":{"name":"x"}}' };
    const item = `${FEATURES}/collections/${workspace}:towns/items/towns.1`;
    expect(await server.request('PATCH', item, patch)).toMatchObject({ status: 409 });
    expect((await rename(version, 3)).text).not.toContain('Exception');

    expect((await rename(version, 1, useLock(version, id))).text).not.toContain('Exception');
    expect((await rename(version, 2)).text).not.toContain('Exception');
    const again = await rename(version, 1, useLock(version, id));
    expect(again.text).toContain(`No such lock: '${id}'. Lock the features again.`);
    expect(again.text).toContain(version === '2.0.0' ? 'InvalidLockId' : 'InvalidParameterValue');
  });

  it('hold all features or some', async () => {
    await lock(version, [2]);
    const all = await lock(version, [1, 2]);
    expect(all.status).toBe(isRefused(version));
    expect(all.text).toContain('CannotLockAllFeatures');
    expect(all.text).toContain("1 feature is locked by others or read-only, such as 'towns.2'.");
    expect((await rename(version, 1)).text).not.toContain('Exception');

    const some = await lock(version, [1, 2], 'lockAction="SOME"');
    expect(some.text).toMatch(/<wfs:FeaturesLocked><.*"towns.1"\/><\/wfs:FeaturesLocked>/);
    expect(some.text).toMatch(/<wfs:FeaturesNotLocked><.*"towns.2"\/><\/wfs:FeaturesNotLocked>/);
  });

  it('expire after the given time, or after five minutes', async () => {
    const [expiry, seconds] = version === '2.0.0' ? [120, 120] : [2, 120];
    const id = readLockId(await lock(version, [1], `expiry="${expiry}"`));
    await lock(version, [2]);
    nowMs += (seconds - 1) * 1_000;
    expect((await rename(version, 1)).text).toContain('is locked');
    nowMs += 1_000;
    expect((await rename(version, 1)).text).not.toContain('Exception');
    expect((await rename(version, 1, useLock(version, id))).text).toContain(`The lock '${id}' has expired.`);
    expect((await rename(version, 2)).text).toContain('is locked');
    nowMs += 180_000;
    expect((await rename(version, 2)).text).not.toContain('Exception');
    const most = version === '2.0.0' ? 'seconds from 1 to 86400' : 'minutes from 1 to 1440';
    expect((await lock(version, [1], 'expiry="100000"')).text).toContain(`a number of ${most}`);
  });

  it('are created and returned with features, as documents and as pairs', async () => {
    const content = writeQuery(version, [1, 3], 'Query');
    const reply = await postDocument(version, 'GetFeatureWithLock', 'expiry="10"', content);
    expect(reply.text.match(/<[^/>]*:towns [^>]*id=/g)).toHaveLength(2);
    expect((await rename(version, 3)).text).toContain('is locked');
    expect((await rename(version, 3, useLock(version, readLockId(reply)))).text).not.toContain('Exception');

    const pairs = `version=${version}&request=GetFeatureWithLock&expiry=10&maxFeatures=2&outputFormat=application/json`;
    const found = (await getPairs(pairs)).json() as { lockId: string; features: readonly { id: string }[] };
    expect(found.features.map(({ id }) => id)).toEqual(['towns.1', 'towns.2']);
    expect((await rename(version, 2)).text).toContain('is locked');
    expect((await rename(version, 3)).text).not.toContain('Exception');
    const rest = await getPairs(`version=${version}&request=GetFeatureWithLock&lockAction=SOME`);
    expect(new Set(rest.text.match(/towns\.\d/g))).toEqual(new Set(['towns.3']));
    expect((await getPairs(`version=${version}&request=LockFeature`)).text).toContain('CannotLockAllFeatures');
    const release = useLock(version, found.lockId);
    await postDocument(version, 'Transaction', release.attributes, release.more ?? '');
    const locked = await getPairs(`version=${version}&request=LockFeature&featureId=towns.2&expiry=1`);
    expect(locked.text).toMatch(/FeaturesLocked><[^>]*"towns.2"/);
  });
});

describe('locks', () => {
  it('return the features as they stay until the lock ends, also beside concurrent changes', async () => {
    const items = `${FEATURES}/collections/${workspace}:towns/items/towns.1`;
    for (let round = 0; round < 8; round += 1) {
      const [locked] = await Promise.all([
        getPairs('version=2.0.0&request=GetFeatureWithLock&resourceId=towns.1&outputFormat=application/json'),
        rename('2.0.0', 1, { name: `Round ${round}` }),
      ]);
      const { lockId, features } = locked.json() as { lockId: string; features: { properties: { name: string } }[] };
      const now = (await server.get(items)).json() as { properties: { name: string } };
      expect(features[0]?.properties.name).toBe(now.properties.name);
      await postDocument('2.0.0', 'Transaction', `lockId="${lockId}"`, '');
    }
  });

  it('keep other features and start their time again if a transaction releases only what it changes', async () => {
    const id = readLockId(await lock('2.0.0', [1, 2], 'expiry="60"'));
    nowMs += 50_000;
    expect((await rename('2.0.0', 1, useLock('2.0.0', id, 'SOME'))).status).toBe(200);
    nowMs += 50_000;
    expect((await rename('2.0.0', 1)).status).toBe(200);
    expect((await rename('2.0.0', 2)).status).toBe(400);
    expect((await postDocument('2.0.0', 'LockFeature', `lockId="${id}" expiry="60"`, '')).text).toContain(id);
    nowMs += 59_000;
    expect((await rename('2.0.0', 2)).status).toBe(400);
    nowMs += 1_000;
    expect((await rename('2.0.0', 2)).status).toBe(200);
  });

  it('require write access to the layer and its rows, and disclose no hidden features', async () => {
    await server.post('/security/acl/layers', `{"${workspace}.towns.w":"EDITOR${made}"}`);
    const ann = await addUser(server, `ann${made}`, `EDITOR${made}`);
    const stranger = await addUser(server, `stranger${made}`, 'NOBODY');
    const rule = {
      name: `own${made}`,
      layer: `${workspace}:towns`,
      roles: [`EDITOR${made}`],
      rows: "name <> 'Genf'",
      writeRows: "name = 'Bern'",
    };
    expect((await server.post('/security/acl/data', JSON.stringify({ dataRule: rule }))).status).toBe(201);

    expect((await postDocument('2.0.0', 'LockFeature', '', writeQuery('2.0.0', [1]), null)).status).toBe(401);
    expect((await lock('2.0.0', [1], '', stranger)).status).toBe(403);
    expect((await lock('2.0.0', [1, 2], '', ann)).text).toContain("such as 'towns.2'");
    const some = await lock('2.0.0', [1, 2, 3], 'lockAction="SOME"', ann);
    expect(some.text).toMatch(
      /<wfs:FeaturesLocked>.*towns.1.*<\/wfs:FeaturesLocked>\n<wfs:FeaturesNotLocked>.*towns.2/,
    );
    expect(some.text).not.toContain('towns.3');
    expect((await rename('2.0.0', 1)).text).toContain('is locked');
    const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
    const pairs = `service=WFS&version=2.0.0&request=LockFeature&typeNames=${workspace}:towns&resourceId=towns.2`;
    expect((await server.get(`//geoserver/wfs?${pairs}`, foreign)).text).toContain('cross-site');
  });

  it('hold on features of uploaded files if the server can edit them, and leave the files as they are', async () => {
    await publishTables(server, `${workspace}up`, [towns], 'up');
    workspace = `${workspace}up`;
    const before = server.server.storage.position();
    const reply = await lock('2.0.0', [1]);
    expect(server.server.storage.position()).toBe(before);
    if (isOnPostgres) {
      expect(reply.text).toContain('OperationNotSupported');
      return;
    }
    const id = readLockId(reply);
    expect((await rename('2.0.0', 1)).status).toBe(400);
    expect(server.server.storage.position()).toBe(before);
    expect((await rename('2.0.0', 1, useLock('2.0.0', id))).status).toBe(200);
  });

  it('are neither created nor released in a dry run', async () => {
    const body = (name: string, attributes: string, content: string) =>
      `<wfs:${name} service="WFS" version="2.0.0" ${attributes} xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:f="http://www.opengis.net/fes/2.0" xmlns:t="http://${workspace}">${content}</wfs:${name}>`;
    const rehearse = (document: string) => server.post('//geoserver/wfs?dryRun=true', document, { type: 'text/xml' });
    expect((await rehearse(body('LockFeature', '', writeQuery('2.0.0', [1])))).text).toContain('towns.1');
    expect((await rename('2.0.0', 1)).status).toBe(200);
    const id = readLockId(await lock('2.0.0', [1]));
    expect((await rehearse(body('Transaction', `lockId="${id}"`, ''))).status).toBe(200);
    expect((await rename('2.0.0', 1)).status).toBe(400);
  });

  it('are offered by the service level COMPLETE only', async () => {
    const getCapabilities = (version: string) =>
      server.get(`//geoserver/wfs?service=WFS&version=${version}&request=GetCapabilities`);
    expect((await getCapabilities('2.0.0')).text).toContain(
      'ImplementsLockingWFS"><ows:NoValues/><ows:DefaultValue>TRUE',
    );
    expect((await getCapabilities('1.1.0')).text).toContain('<Operation>Lock</Operation>');
    expect((await getCapabilities('1.0.0')).text).toContain('<Lock/>');
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"TRANSACTIONAL"}}');
    expect((await lock('2.0.0', [1])).text).toContain('OperationNotSupported');
    expect((await getCapabilities('2.0.0')).text).not.toContain('LockFeature');
    await server.put('/services/wfs/settings', '{"wfs":{"serviceLevel":"COMPLETE"}}');
  });

  it('are refused with a reason for formats and results without a lock id', async () => {
    const query = 'version=2.0.0&request=GetFeatureWithLock';
    expect((await getPairs(`${query}&outputFormat=csv`)).text).toContain('cannot contain the id of the lock');
    expect((await getPairs(`${query}&resultType=hits`)).text).toContain('resultType=hits');
    expect((await getPairs('version=2.0.0&request=LockFeature&lockAction=ANY')).text).toContain('ALL or SOME');
    expect((await getPairs('version=2.0.0&request=LockFeature&lockId=unknown')).text).toContain('InvalidLockId');
  });
});
