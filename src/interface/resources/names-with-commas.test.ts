/** Names that lists of names cannot hold are good names, of which people should know what clients cannot do with them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { putTiff } from '../../../test/support/raster-samples.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, zipOf } from '../../../test/support/vector-samples.ts';

const stores = '/workspaces/acme/datastores';

describe('a name with a comma in it', () => {
  const server = useTestServer();
  const told = (name: string) =>
    `199 - "The name '${name}' has a comma in it, which in requests of WMS and WFS stands between two names: clients cannot ask for it there."`;

  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(
      server,
      `${stores}/shapes/file.shp?configure=none`,
      zipOf({ a: pointShapefile(), b: pointShapefile() }),
    );
  });

  it('is told of where a feature type gets it, with its first name or another', async () => {
    const draft = { featureType: { name: 'a,1', nativeName: 'a' } };
    const created = await server.post(`${stores}/shapes/featuretypes`, JSON.stringify(draft));
    const plain = await server.post(`${stores}/shapes/featuretypes`, '{"featureType":{"name":"b"}}');
    const renamed = await server.put(`${stores}/shapes/featuretypes/b`, '{"featureType":{"name":"b,2"}}');

    expect([created.status, created.headers['warning']]).toEqual([201, told('a,1')]);
    expect([plain.status, plain.headers['warning']]).toEqual([201, undefined]);
    expect([renamed.status, renamed.headers['warning']]).toEqual([200, told('b,2')]);
  });

  it('is told of where an upload publishes it', async () => {
    const reply = await putZip(server, `${stores}/sent/file.shp`, zipOf({ 'c,3': pointShapefile() }));

    expect([reply.status, reply.headers['warning']]).toEqual([201, told('c,3')]);
  });

  it('is told of where a coverage or a layer group gets it', async () => {
    await putTiff(server, '/workspaces/acme/coveragestores/hills/file.geotiff');
    const coverages = '/workspaces/acme/coveragestores/hills/coverages';
    const coverage = { coverage: { name: 'hills,4', nativeCoverageName: 'hills' } };
    const group = {
      layerGroup: { name: 'all,5', publishables: { published: [{ '@type': 'layer', name: 'acme:hills' }] } },
    };

    const created = await server.post(coverages, JSON.stringify(coverage));
    const renamed = await server.put(`${coverages}/hills,4`, '{"coverage":{"name":"hills,6"}}');
    const grouped = await server.post('/workspaces/acme/layergroups', JSON.stringify(group));

    expect([created.status, created.headers['warning']]).toEqual([201, told('hills,4')]);
    expect([renamed.status, renamed.headers['warning']]).toEqual([200, told('hills,6')]);
    expect([grouped.status, grouped.headers['warning']]).toEqual([201, told('all,5')]);
  });
});
