/** Tiles that nodes share in one place (--tiles). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCheckCommand } from '../../src/server/maintenance/check-command.ts';
import type { Check } from '../../src/server/maintenance/checks.ts';
import { runStorageCommand } from '../../src/server/maintenance/storage-command.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { credentialVariables, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { postgresAddress } from '../support/postgres-places.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64'), ...credentialVariables };

describeWithPostgis('tiles that nodes share', (postgis) => {
  let objects: TestObjectStore;
  beforeAll(async () => {
    objects = await startObjectStore();
    await postgis.query('CREATE TABLE spots (id integer PRIMARY KEY, place geometry(Point, 4326))');
    await postgis.query('INSERT INTO spots VALUES (1, ST_SetSRID(ST_MakePoint(10, 10), 4326))');
  });
  afterAll(() => objects.close());
  beforeEach(() => objects.fail(() => undefined));

  async function start(schema: string, tiles?: string): Promise<TestServer> {
    const flags = ['--storage', postgresAddress(postgis, schema), ...(tiles === undefined ? [] : ['--tiles', tiles])];
    const node = await startTestServer({ flags, environment });
    onTestFinished(() => node.close());
    return node;
  }

  describe.each(['directory', 'bucket'] as const)('in one %s', (kind) => {
    const createPlace = async (name: string) =>
      kind === 'directory' ? `file:${await temporaryFolder()}` : objects.addressOf(name);

    test('a tile that one node has drawn is found by all, also after the loss of their disks', async () => {
      const place = await createPlace('found');
      const [one, two] = [await start(`found_${kind}`, place), await start(`found_${kind}`, place)];
      await publish(one, postgis);
      const made = await readTile(one);
      await waitForWrites(one);

      const found = await readTile(two);

      expect([made.isKept, found.isKept]).toEqual([false, true]);
      expect(found.text).toBe(made.text);
      expect(await readTile(await start(`found_${kind}`, place))).toEqual(found);
      expect((await two.get('//metrics')).text).toMatch(/graticule_tile_cache_lookups_total\{result="shared"\} 1/);
    });

    test('a truncated tile is never found again, also by a node that was not running', async () => {
      const place = await createPlace('cut');
      const one = await start(`cut_${kind}`, place);
      await publish(one, postgis);
      const old = await readTile(one);
      await waitForWrites(one);
      await postgis.query('UPDATE spots SET place = ST_Translate(place, 20, -20)');

      const truncated = await one.request('DELETE', '//geoserver/gwc/rest/layers/acme:spots');
      const later = await readTile(await start(`cut_${kind}`, place));

      expect(truncated.status).toBe(200);
      expect(later.isKept).toBe(false);
      expect(later.text).not.toBe(old.text);
    });

    test('a tile that one node has seeded is found by all', async () => {
      const place = await createPlace('seeded');
      const one = await start(`seeded_${kind}`, place);
      await publish(one, postgis);
      const order =
        '<seedRequest><srs><number>900913</number></srs><zoomStart>0</zoomStart><zoomStop>2</zoomStop><format>image/png</format><type>seed</type></seedRequest>';
      const seed = () => one.request('POST', '//geoserver/gwc/rest/seed/acme:spots', { type: 'text/xml', body: order });
      expect((await seed()).status).toBe(200);
      const status = () => one.get('//geoserver/gwc/rest/seed/acme:spots.json');
      await expect.poll(async () => (await status()).json()).toEqual({ 'long-array-array': [] });

      const two = await start(`seeded_${kind}`, place);

      for (const level of [0, 1, 2]) expect((await readTile(two, level)).isKept).toBe(true);
    });
  });

  test.each([503, 'silent', 'cut', 'lost'] as const)(
    'a tile is drawn although the store fails in every request: %s',
    async (fault) => {
      const one = await start('failing', objects.addressOf(`failing-${fault}`));
      if ((await one.get('/workspaces/acme.json')).status === 404) await publish(one, postgis);
      objects.fail(() => fault);

      const startMs = Date.now();
      const made = await readTile(one);

      expect(made.isKept).toBe(false);
      expect(Date.now() - startMs).toBeLessThan(10_000);
      expect(await readTile(one)).toEqual({ ...made, isKept: true });
      objects.fail(() => undefined);
    },
  );

  test('a tile that the store returns truncated or with other bytes is drawn again', async () => {
    const place = objects.addressOf('damaged');
    const one = await start('damaged', place);
    await publish(one, postgis);
    const made = await readTile(one);
    await waitForWrites(one);
    const [key = ''] = await objects.listKeys('damaged/tiles/');
    const whole = await readFile(objects.fileOf(key));
    for (const content of [whole.subarray(0, 50), Buffer.alloc(whole.length, 7)]) {
      await writeFile(objects.fileOf(key), content);
      const other = await start('damaged', place);
      expect(await readTile(other)).toEqual(made);
      await waitForWrites(other);
    }
  });

  test('a copy of a database does not find tiles of the original', async () => {
    const place = objects.addressOf('copied');
    const one = await start('original', place);
    await publish(one, postgis);
    await readTile(one);
    await waitForWrites(one);
    const errors: string[] = [];
    const folder = await temporaryFolder();
    const words = ['copy', '--from', postgresAddress(postgis, 'original'), '--to', postgresAddress(postgis, 'copied')];
    const printError = (text: string) => void errors.push(text);
    expect(await runStorageCommand(words, { folder, environment: {}, print: () => undefined, printError })).toBe(0);

    expect((await readTile(await start('copied', place))).isKept).toBe(false);
  });

  test('a node with another place warns while other nodes run, and the second with it does not', async () => {
    const place = `file:${await temporaryFolder()}`;
    await start('places', place);
    const one = await start('places');
    const two = await start('places');

    const warning = `This node has no --tiles, but another node of the database has --tiles ${place}. Nodes share tiles only if all have the same --tiles.`;
    expect(one.log.join('')).toContain(warning);
    expect(two.log.join('')).not.toContain('--tiles');
  });

  describe('graticule check', () => {
    async function check(schema: string, tiles: string | undefined, variables: Record<string, string> = environment) {
      const printed: string[] = [];
      const place = tiles === undefined ? [] : ['--tiles', tiles];
      const words = ['--json', '--port', '0', '--storage', postgresAddress(postgis, schema), ...place];
      const dataDir = join(await temporaryFolder(), 'data');
      await runCheckCommand([...words, '--data-dir', dataDir], {
        environment: variables,
        print: (text) => printed.push(text),
      });
      const { checks } = JSON.parse(printed.join('')) as { readonly checks: readonly Check[] };
      return checks.find((each) => each.check === 'tiles');
    }

    test('reports places that can be used, and warns about others', async () => {
      const missing = join(await temporaryFolder(), 'missing');
      const wrong = { ...environment, AWS_SECRET_ACCESS_KEY: 'a wrong secret' };
      const bucket = objects.addressOf('checked');

      expect(await check('unused', undefined)).toBeUndefined();
      expect(await check('unused', bucket)).toMatchObject({
        status: 'ok',
        message: `${bucket.replace('?', '/?')} can be used.`,
      });
      expect(await check('unused', `file:${await temporaryFolder()}`)).toMatchObject({ status: 'ok' });
      expect(await check('unused', `file:${missing}`)).toMatchObject({
        status: 'warning',
        message: `Cannot use --tiles file:${missing}: '${missing}' does not exist. The server will draw the tiles.`,
      });
      expect(await check('unused', bucket, wrong)).toMatchObject({
        status: 'warning',
        message: expect.stringMatching(/^Cannot use --tiles s3:(?!.*a wrong secret).*SignatureDoesNotMatch/),
      });
    });

    test('warns if running nodes share their tiles elsewhere', async () => {
      const place = `file:${await temporaryFolder()}`;
      const node = await start('compared', place);
      const warning = {
        status: 'warning',
        message: expect.stringContaining(`but another node of the database has --tiles ${place}.`),
      };

      expect(await check('compared', place)).toMatchObject({ status: 'ok' });
      expect(await check('compared', objects.addressOf('compared'))).toMatchObject(warning);
      expect(await check('compared', undefined)).toMatchObject(warning);
      await node.close();
      expect(await check('compared', undefined)).toBeUndefined();
    });
  });
});

const AGED =
  '{"featureType":{"metadata":{"entry":[{"@key":"cachingEnabled","$":"true"},{"@key":"cacheAgeMax","$":"3600"}]}}}';

async function publish(node: TestServer, postgis: PostgisUnderTest): Promise<void> {
  const { host, port, user, password, database } = postgis.connection;
  const parameters = { dbtype: 'postgis', host, port, user, passwd: password, database, schema: 'public' };
  const entry = Object.entries(parameters).map(([key, value]) => ({ '@key': key, $: String(value) }));
  expect((await node.post('/workspaces', '{"workspace":{"name":"acme"}}')).status).toBe(201);
  const store = JSON.stringify({ dataStore: { name: 'outside', connectionParameters: { entry } } });
  expect((await node.post('/workspaces/acme/datastores', store)).status).toBe(201);
  const types = '/workspaces/acme/datastores/outside/featuretypes';
  expect((await node.post(types, '{"featureType":{"name":"spots"}}')).status).toBe(201);
  expect((await node.put(`${types}/spots`, AGED)).status).toBe(200);
}

async function readTile(node: TestServer, level = 0) {
  const path = `//geoserver/gwc/service/wmts/rest/acme:spots/EPSG:900913/${level}/0/0?format=image/png`;
  const { status, headers, bytes } = await node.get(path, { as: null });
  expect(status).toBe(200);
  return { isKept: headers['geowebcache-cache-result'] === 'HIT', text: bytes.toString('base64') };
}

/** Waits until the drawn tiles are stored. A tile of level 0 is drawn alone. */
async function waitForWrites(node: TestServer): Promise<void> {
  const size = async () => {
    const { text } = await node.get('//metrics');
    return Number(/graticule_tile_cache_bytes\{tier="shared"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  await expect.poll(size).toBeGreaterThan(0);
}
