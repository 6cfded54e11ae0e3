import { beforeAll, describe, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, putZip, readResource, zipOf } from '../../../test/support/vector-samples.ts';

const types = '/workspaces/acme/datastores/s/featuretypes';

describe.each(['graticule', 'geoserver'] as const)('the cqlFilter of a feature type (%s)', (compat) => {
  const server = useTestServer({ compat });
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await putZip(server, '/workspaces/acme/datastores/s/file.shp', zipOf({ states: pointShapefile() }));
  });

  const change = (cqlFilter: unknown) => server.put(`${types}/states`, JSON.stringify({ featureType: { cqlFilter } }));

  it.each([
    ["name LIKE '%a%", 1, 11],
    ['name =', 1, 7],
    ['name = 1 AND\n  AND name = 2', 2, 3],
    ['name', 1, 1],
  ])('is rejected with the position if it is invalid: %s', async (cqlFilter, line, column) => {
    await change("name = 'before'");

    const sent = JSON.stringify({ featureType: { cqlFilter, title: 'Not this' } });
    const reply = await server.put(`${types}/states`, sent, { accept: 'application/problem+json' });

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(`The cqlFilter is not valid ECQL at line ${line}, column ${column}: `);
    const xml = `<featureType><cqlFilter>${cqlFilter}</cqlFilter></featureType>`;
    expect((await server.put(`${types}/states`, xml)).status).toBe(400);
    expect(await readResource(server, `${types}/states`)).toMatchObject({
      cqlFilter: "name = 'before'",
      title: 'states',
    });
  });

  it('is rejected on publication, and nothing is published', async () => {
    const reply = await server.post(types, '{"featureType":{"name":"more","nativeName":"states","cqlFilter":"a ="}}');

    expect(reply.status).toBe(400);
    expect((await server.get(`${types}/more.json`)).status).toBe(404);
  });

  it.each(["name = 'a'", 'INCLUDE', 'BBOX(the_geom, 0, 0, 1, 1)', "acme:name = 'a'"])(
    'is stored as written: %s',
    async (cqlFilter) => {
      const reply = await change(cqlFilter);

      expect([reply.status, reply.headers['warning']]).toEqual([200, undefined]);
      expect((await readResource(server, `${types}/states`))['cqlFilter']).toBe(cqlFilter);
    },
  );

  it('is stored with a warning if it refers to unknown attributes', async () => {
    const reply = await change("nmae = 'a' OR (nmae = 'b' AND rnak > 1)");

    expect([reply.status, reply.headers['warning']]).toEqual([
      200,
      `199 - "The cqlFilter of 'states' uses 'nmae', 'rnak', which are not attributes of the type."`,
    ]);
    const created = await server.post(
      types,
      '{"featureType":{"name":"more","nativeName":"states","cqlFilter":"nmae = 1"}}',
    );
    expect([created.status, created.headers['warning']]).toEqual([
      201,
      `199 - "The cqlFilter of 'more' uses 'nmae', which is not an attribute of the type."`,
    ]);
  });

  it.each([null, '', '  '])('is cleared by %j', async (nothing) => {
    await change("name = 'a'");

    expect((await change(nothing)).status).toBe(200);

    expect(await readResource(server, `${types}/states`)).not.toHaveProperty('cqlFilter');
  });
});
