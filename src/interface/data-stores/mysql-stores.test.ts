/** Stores of MySQL and MariaDB: connected, published, read by services, edited with WFS-T, changed and undone. */
import { beforeAll, expect, it } from 'vitest';
import { mysqlParameters } from '../../../test/support/mysql-sources.ts';
import { useTestServer } from '../../../test/support/test-server.ts';
import { pointShapefile, readResource, zipOf } from '../../../test/support/vector-samples.ts';
import { describeWithMariadb } from '../../../test/support/with-mariadb.ts';

const stores = '/workspaces/acme/datastores';

const transaction = (body: string) =>
  `<wfs:Transaction service="WFS" version="1.1.0" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml" xmlns:acme="http://acme">${body}</wfs:Transaction>`;

const insert = (name: string, x: string) =>
  `<wfs:Insert><acme:towns><acme:name>${name}</acme:name>
    <acme:geom><gml:Point srsName="EPSG:4326"><gml:pos>${x} 1</gml:pos></gml:Point></acme:geom></acme:towns></wfs:Insert>`;

describeWithMariadb('stores of MariaDB', (mariadb) => {
  const server = useTestServer();
  const connect = (name: string, more: Readonly<Record<string, string>> = {}, query = '') => {
    const entry = Object.entries({ ...mysqlParameters(mariadb.connection), ...more }).map(([key, value]) => ({
      '@key': key,
      $: value,
    }));
    return server.request('POST', `${stores}${query}`, {
      type: 'json',
      accept: 'text/plain, application/problem+json;q=0.9',
      body: JSON.stringify({ dataStore: { name, connectionParameters: { entry } } }),
    });
  };
  beforeAll(async () => {
    await server.post('/workspaces', '<workspace><name>acme</name></workspace>');
    await mariadb.query(`CREATE TABLE towns (id int PRIMARY KEY AUTO_INCREMENT, name varchar(20) NOT NULL UNIQUE, people int,
        geom point REF_SYSTEM_ID=4326 NOT NULL, SPATIAL INDEX (geom));
      INSERT INTO towns (name, people, geom) VALUES ('Bern', 134000, ST_GeomFromText('POINT(7.45 46.95)', 4326)),
        ('Zürich', 443000, ST_GeomFromText('POINT(8.54 47.38)', 4326)), ('Genf', 203000, ST_GeomFromText('POINT(6.15 46.2)', 4326))`);
    const created = await connect('swiss');
    expect([created.status, created.text]).toEqual([201, 'swiss']);
    const published = await server.post(`${stores}/swiss/featuretypes`, '{"featureType":{"name":"towns"}}');
    expect([published.status, published.text]).toEqual([201, 'towns']);
  });
  const wfs =
    '//geoserver/wfs?service=WFS&version=2.0.0&request=GetFeature&typeNames=acme:towns&outputFormat=application/json';
  const edit = (body: string) =>
    server.request('POST', '//geoserver/wfs', { type: 'text/xml', body: transaction(body) });
  const names = async () => (await mariadb.query('SELECT name FROM towns ORDER BY id')).map(({ name }) => name);

  it('have a type, tables, and a password that is never returned', async () => {
    const store = await readResource(server, `${stores}/swiss`);
    const listed = await server.get(`${stores}/swiss/featuretypes?list=all`);

    expect(store).toMatchObject({ type: 'MySQL' });
    expect(JSON.stringify(store)).not.toContain(mariadb.connection.password);
    expect(listed.text).toContain('towns');
    expect(await readResource(server, `${stores}/swiss/featuretypes/towns`)).toMatchObject({
      srs: 'EPSG:4326',
      nativeBoundingBox: { minx: 6.15, maxx: 8.54, miny: 46.2, maxy: 47.38 },
      attributes: {
        attribute: [
          { name: 'name', binding: 'java.lang.String', length: 20 },
          { name: 'people', binding: 'java.lang.Integer' },
          { name: 'geom', binding: 'org.locationtech.jts.geom.Point' },
        ],
      },
    });
  });

  it('are read by WFS with filters, order and pages, and drawn by WMS', async () => {
    const found = await server.get(`${wfs}&cql_filter=people>200000&sortBy=name+D&count=1`);
    const boxed = await server.get(`${wfs}&bbox=7,46,8,47,EPSG:4326`);
    const map = await server.get(
      '//geoserver/wms?service=WMS&version=1.1.1&request=GetMap&layers=acme:towns&styles=&srs=EPSG:4326&bbox=5,45,10,48&width=64&height=64&format=image/png',
    );

    expect(found.json()).toMatchObject({
      numberMatched: 2,
      features: [{ id: 'towns.2', properties: { name: 'Zürich', people: 443_000 } }],
    });
    expect(boxed.json()).toMatchObject({ features: [{ id: 'towns.1' }] });
    expect([map.status, map.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('are edited by transactions of WFS, which change everything or nothing', async () => {
    const added = await edit(insert('Basel', '7.6'));
    const refused = await edit(`${insert('Chur', '9.5')}${insert('Bern', '7')}`);
    const changed = await edit(
      `<wfs:Update typeName="acme:towns"><wfs:Property><wfs:Name>people</wfs:Name><wfs:Value>1</wfs:Value></wfs:Property>
        <ogc:Filter><ogc:FeatureId fid="towns.4"/></ogc:Filter></wfs:Update>
       <wfs:Delete typeName="acme:towns"><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>name</ogc:PropertyName>
        <ogc:Literal>Genf</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter></wfs:Delete>`,
    );

    expect(added.text).toContain('fid="towns.4"');
    expect(refused.text).toContain('a value of a unique column already exists');
    expect(changed.text).toContain('<wfs:totalUpdated>1</wfs:totalUpdated>');
    expect(changed.text).toContain('<wfs:totalDeleted>1</wfs:totalDeleted>');
    expect(await names()).toEqual(['Bern', 'Zürich', 'Basel']);
    expect(await mariadb.query("SELECT people FROM towns WHERE name = 'Basel'")).toEqual([{ people: 1 }]);
  });

  it('get new tables from feature types with attributes, also in a dry run', async () => {
    const document = JSON.stringify({
      featureType: {
        name: 'lakes',
        srs: 'EPSG:2056',
        attributes: {
          attribute: [
            { name: 'depth', binding: 'java.lang.Double' },
            { name: 'shape', binding: 'org.locationtech.jts.geom.Polygon' },
          ],
        },
      },
    });
    const tried = await server.post(`${stores}/swiss/featuretypes?dryRun=true`, document);
    const before = await mariadb.query('SHOW TABLES');
    const created = await server.post(`${stores}/swiss/featuretypes`, document);

    expect(tried.status).toBe(201);
    expect(before.map((row) => Object.values(row)[0])).toEqual(['towns']);
    expect(created.status).toBe(201);
    expect(await mariadb.query('SHOW COLUMNS FROM lakes')).toMatchObject([
      { Field: 'fid', Extra: 'auto_increment' },
      { Field: 'depth', Type: 'double' },
      { Field: 'shape', Type: 'polygon' },
    ]);
  });

  it('import uploaded files as tables', async () => {
    const reply = await server.request('PUT', `${stores}/swiss/file.shp`, {
      type: 'application/zip',
      body: zipOf({ springs: pointShapefile() }),
    });

    expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('acme:springs')]);
    expect(await mariadb.query('SELECT COUNT(*) > 0 AS some FROM springs')).toEqual([{ some: 1 }]);
    expect((await mariadb.query("SHOW TABLES LIKE 'graticule%'")).length).toBe(0);
  });

  it.each([
    ['a wrong password', { passwd: 'guess' }, 'the database rejected the user or the password', 'login'],
    ['an unknown database', { database: 'missing' }, 'the database does not exist', 'login'],
    ['a port without a database', { port: '1' }, 'the connection to its host and port was refused', 'host'],
  ])('report %s', async (_, more, reason, step) => {
    const reply = await connect('broken', more, '?validate=connect');

    expect(reply.status).toBe(400);
    expect(reply.text).toContain(reason);
    expect(reply.json()).toMatchObject({ step });
    expect(reply.text).not.toContain('guess');
  });

  it('are removed with their types, and come back when that is undone', async () => {
    const removed = await server.request('DELETE', `${stores}/swiss?recurse=true`);
    const undone = await server.post(`/history/${removed.headers['graticule-change']}/undo`, '');

    expect([removed.status, undone.status]).toEqual([200, 200]);
    expect((await server.get(wfs)).json()).toMatchObject({ numberMatched: 3 });
  });
});
