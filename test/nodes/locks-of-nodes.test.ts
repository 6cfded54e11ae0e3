/** Locks of features on real nodes, any of which may be killed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresAddress } from '../support/postgres-places.ts';
import { asAdministrator, createNode, type RealNode } from '../support/real-nodes.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

const SCHEMA = 'locks_of_nodes';

describeWithPostgis('locks of features on two nodes', (postgis) => {
  let nodes: readonly [RealNode, RealNode];
  beforeAll(async () => {
    const storage = postgresAddress(postgis, SCHEMA);
    nodes = [await createNode(storage), await createNode(storage)];
    for (const node of nodes) await node.start();
    await postgis.query(
      'CREATE TABLE lots (id serial PRIMARY KEY, name text, geom geometry(Point, 4326)); INSERT INTO lots (name) VALUES (1), (2)',
    );
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password };
    const stores = '/rest/workspaces/acme/datastores';
    await post(nodes[0], '/rest/workspaces', { workspace: { name: 'acme' } });
    await post(nodes[0], stores, { dataStore: { name: 'lots', connectionParameters } });
    await post(nodes[0], `${stores}/lots/featuretypes`, { featureType: { name: 'lots' } });
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  async function send(node: RealNode, path: string, type: string, body: string): Promise<[number, string]> {
    const reply = await fetch(`${node.origin}/geoserver${path}`, {
      method: 'POST',
      headers: { authorization: asAdministrator, 'content-type': type },
      body,
    });
    return [reply.status, await reply.text()];
  }

  async function post(node: RealNode, path: string, document: object): Promise<void> {
    const [status, text] = await send(node, path, 'application/json', JSON.stringify(document));
    expect(status, text).toBe(201);
  }

  const wfs = (node: RealNode, name: string, attributes: string, content: string) =>
    send(
      node,
      '/wfs',
      'text/xml',
      `<w:${name} service="WFS" version="2.0.0" ${attributes} xmlns:w="http://www.opengis.net/wfs/2.0" xmlns:f="http://www.opengis.net/fes/2.0" xmlns:acme="http://acme">${content}</w:${name}>`,
    );
  const filter = (id: number) => `<f:Filter><f:ResourceId rid="lots.${id}"/></f:Filter>`;
  const lock = async (node: RealNode, id: number) => {
    const [status, text] = await wfs(node, 'LockFeature', '', `<w:Query typeNames="acme:lots">${filter(id)}</w:Query>`);
    return [status, /lockId="([^"]+)"/.exec(text)?.[1] ?? ''] as const;
  };
  const rename = async (node: RealNode, id: number, attributes = '') => {
    const value = '<w:Property><w:ValueReference>name</w:ValueReference><w:Value>new</w:Value></w:Property>';
    const update = `<w:Update typeName="acme:lots">${value}${filter(id)}</w:Update>`;
    return (await wfs(node, 'Transaction', attributes, update))[0];
  };

  test('hold on both nodes, outlive kills of both, and end with a transaction or their time', async () => {
    const [one, other] = nodes;
    const [status, id] = await lock(one, 1);

    expect([status, await rename(one, 1), await rename(other, 1), (await lock(other, 1))[0]]).toEqual([
      200, 400, 400, 400,
    ]);
    expect(await rename(other, 2)).toBe(200);
    await one.kill();
    expect(await rename(other, 1)).toBe(400);
    await other.kill();
    await Promise.all(nodes.map((node) => node.start()));
    expect([await rename(one, 1), await rename(other, 1)]).toEqual([400, 400]);
    expect([await rename(other, 1, `lockId="${id}"`), await rename(one, 1)]).toEqual([200, 200]);

    expect((await lock(other, 1))[0]).toBe(200);
    expect(await rename(one, 1)).toBe(400);
    await postgis.query(`UPDATE ${SCHEMA}.feature_locks SET expires_at_ms = 0`);
    expect([await rename(one, 1), (await lock(one, 1))[0], await rename(other, 1)]).toEqual([200, 200, 400]);
  });
});
