/** Dry runs that create a PostGIS store and list what it would contain. */
import { beforeAll, expect, it } from 'vitest';
import { useTestServer } from '../../../test/support/test-server.ts';
import { describeWithPostgis } from '../../../test/support/with-postgis.ts';

const stores = '/workspaces/acme/datastores';

describeWithPostgis('a dry run that creates a store with validate=connect', (postgis) => {
  const server = useTestServer();
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await postgis.query('CREATE TABLE roads (id serial PRIMARY KEY, geom geometry(MultiLineString, 25832))');
    await postgis.query('INSERT INTO roads (geom) SELECT NULL FROM generate_series(1, 30)');
    await postgis.query('ANALYZE roads');
    await postgis.query('CREATE TABLE undeclared (id int PRIMARY KEY, shape geometry)');
    await postgis.query('CREATE TABLE places (id int PRIMARY KEY, at geography(Point))');
    await postgis.query('CREATE TABLE plain (id int PRIMARY KEY, note text)');
  });

  const create = (changes: Readonly<Record<string, unknown>>, query = 'dryRun=true&validate=connect') => {
    const { host, port, database, user, password } = postgis.connection;
    const connectionParameters = { dbtype: 'postgis', host, port, database, user, passwd: password, ...changes };
    return server.request('POST', `${stores}?${query}`, {
      type: 'json',
      accept: 'application/json, application/problem+json;q=0.9',
      body: JSON.stringify({ dataStore: { name: 'nyc', connectionParameters } }),
    });
  };

  it('returns the tables with declared geometry type, CRS and estimated rows', async () => {
    const reply = await create({});

    expect(reply.status).toBe(201);
    expect(reply.json()).toEqual({
      contents: {
        type: [
          { name: 'places', hasGeometry: true, geometryType: 'Point', srs: 'EPSG:4326' },
          { name: 'plain', hasGeometry: false },
          { name: 'roads', hasGeometry: true, geometryType: 'MultiLineString', srs: 'EPSG:25832', estimatedCount: 30 },
          { name: 'undeclared', hasGeometry: true },
        ],
      },
    });
    expect((await server.get(`${stores}/nyc`)).status).toBe(404);
  });

  it('returns the name alone without validate=connect', async () => {
    expect(await create({}, 'dryRun=true')).toMatchObject({ status: 201, text: 'nyc' });
  });

  it.each([
    ['host', { port: '1' }, 'the connection to its host and port was refused'],
    ['login', { passwd: 'wrong' }, 'the database rejected the user or the password'],
    ['login', { database: 'nowhere' }, 'the database does not exist'],
    ['tables', { schema: 'nowhere' }, 'the schema does not exist'],
  ])('names the step %s if it fails', async (step, changes, reason) => {
    const reply = await create(changes);

    expect(reply.json()).toMatchObject({ status: 400, step, detail: expect.stringContaining(reason) });
  });
});
