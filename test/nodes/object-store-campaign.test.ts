/**
 * Kills of a node and failures of the object store at random requests of uploads, replacements, purges, collections and
 * copies. OBJECT_CAMPAIGN_ROUNDS is the number of rounds, OBJECT_CAMPAIGN_SEED repeats one campaign.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runStorageCommand } from '../../src/server/maintenance/storage-command.ts';
import { realDisk } from '../../src/storage/blobs/disk.ts';
import { S3Store } from '../../src/storage/objects/s3-store.ts';
import { ObjectBlobs } from '../../src/storage/postgres/nodes/object-blobs.ts';
import { type StartedServer, startServer } from '../e2e/started-server.ts';
import { temporaryFolder } from '../e2e/temporary-folder.ts';
import { credentialVariables, type Fault, startObjectStore, type TestObjectStore } from '../support/object-store.ts';
import { placeIn, postgresAddress } from '../support/postgres-places.ts';
import { createGeotiff } from '../support/tiff-bytes.ts';
import { describeWithPostgis, type PostgisUnderTest } from '../support/with-postgis.ts';

const ROUNDS = Number(process.env['OBJECT_CAMPAIGN_ROUNDS'] ?? 4);
const SEED = Number(process.env['OBJECT_CAMPAIGN_SEED'] ?? randomInt(1_000_000));

const environment = { GRATICULE_SERVER_KEY: Buffer.alloc(32, 1).toString('base64'), ...credentialVariables };

/** Nodes log the failures that the campaign causes. */
const expectedLog = [/./];

/** The second size is uploaded in two parts. */
const SIDES = [300, 300, 300, 2_950];

const photos = ['one', 'two', 'three'];
const operations = ['upload', 'upload', 'purge', 'collect', 'copy'] as const;
const faults = ['kill', 'kill', 'kill', 503, 500, 'lost', 'unanswered', 'cut', 'shortened', 'silent'] as const;

/** A node waits half a minute for each of them. */
const SILENT_REQUESTS = 1;

/** A linear congruential generator: the same seed has the same campaign. */
function createRandom(seed: number): <T>(choices: readonly T[]) => T {
  let state = seed;
  return (choices) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return choices[Math.floor((state / 2_147_483_648) * choices.length)] as (typeof choices)[number];
  };
}

/** The grey value of a photo; undefined if it does not exist. */
type Value = number | undefined;

describeWithPostgis('nodes with an object store', (postgis) => {
  let objects: TestObjectStore;
  beforeAll(async () => {
    objects = await startObjectStore();
  });
  afterAll(() => objects.close());

  describe.each(['campaign'])('in a campaign of failures', (schema) => {
    test(`lose no confirmed upload and keep no purged one, seed ${SEED}, ${ROUNDS} rounds`, async () => {
      const campaign = new Campaign(postgis, objects, schema);
      await campaign.start();
      for (let round = 1; round <= ROUNDS; round += 1) await campaign.runRound(round);
      await campaign.expectNoLeftovers();
      // Shows whether a long campaign reaches its windows.
      if (ROUNDS > 10) process.stderr.write(`${JSON.stringify(campaign.hits)}\n`);
    });
  });

  test('three nodes serve all uploads after each has lost its disk', async () => {
    const start = async (dataDir: string) =>
      startServer({ dataDir, flags: flagsOf(postgis, objects, 'disks'), environment, expectedLog });
    const folders = await Promise.all(photos.map(async (name) => join(await temporaryFolder(), name)));
    const nodes: StartedServer[] = [];
    for (const folder of folders) nodes.push(await start(folder));
    await createWorkspace(nodes[0] as StartedServer);
    for (const [at, node] of nodes.entries()) {
      const { status } = await putPhoto(node, photos[at] ?? '', createPhoto(at + 1, 300));
      expect(status).toBe(201);
    }

    for (const [at, folder] of folders.entries()) {
      await nodes[at]?.kill();
      await rm(folder, { recursive: true });
      nodes[at] = await start(folder);
      for (const node of nodes) {
        for (const [index, name] of photos.entries()) expect(await readValue(node, name)).toBe(index + 1);
      }
    }
  });
});

const flagsOf = (postgis: PostgisUnderTest, objects: TestObjectStore, schema: string) => [
  ...['--storage', postgresAddress(postgis, schema)],
  ...['--blobs', objects.addressOf(schema), '--undo-files-hours', '0'],
];

class Campaign {
  readonly #postgis: PostgisUnderTest;
  readonly #objects: TestObjectStore;
  readonly #schema: string;
  readonly #choose = createRandom(SEED);
  readonly #values = new Map<string, Value>(photos.map((name) => [name, undefined]));
  readonly #hashes = new Map<string, string>();
  readonly #purged = new Set<string>();
  /** The requests that failed, by operation and fault. */
  readonly hits: Record<string, number> = {};
  #killing: Promise<void> | undefined;
  #victim: StartedServer | undefined;
  #survivor: StartedServer | undefined;

  constructor(postgis: PostgisUnderTest, objects: TestObjectStore, schema: string) {
    this.#postgis = postgis;
    this.#objects = objects;
    this.#schema = schema;
  }

  async start(): Promise<void> {
    this.#victim = await this.#startNode();
    this.#survivor = await this.#startNode();
    await createWorkspace(this.#survivor);
    await putPhoto(this.#survivor, 'one', this.#createPhoto('one', 1, 300));
    this.#values.set('one', 1);
  }

  async runRound(round: number): Promise<void> {
    const [operation, fault] = [this.#choose(operations), this.#choose(faults)];
    const name = this.#choose(photos);
    const [first, count] = [this.#choose([1, 1, 2, 2, 3, 5]), this.#choose([1, 2, Number.POSITIVE_INFINITY])];
    const times = fault === 'silent' ? SILENT_REQUESTS : count;
    const label = `round ${round}: ${operation} of ${name}, ${fault} at request ${first}, ${times} times`;
    let seen = 0;
    this.#objects.fail(async (): Promise<Fault | undefined> => {
      seen += 1;
      if (seen < first || seen >= first + times) return undefined;
      const hit = `${operation} ${fault}`;
      this.hits[hit] = (this.hits[hit] ?? 0) + 1;
      if (fault !== 'kill') return fault;
      if (operation === 'copy' || operation === 'collect') return 'lost';
      this.#killing ??= this.#victim?.kill();
      await this.#killing;
      return this.#choose(['lost', 'unanswered']);
    });
    if (operation === 'copy') await this.#copy(round, label);
    else if (operation === 'collect') await this.#collect().catch(() => undefined);
    else await this.#change(operation, { name, value: (round % 250) + 2, label });
    await this.#recover(fault === 'kill' && this.#choose([true, false]));
    await this.#expectStates(label);
  }

  /** Stops all nodes, and compares the objects with the rows after a collection. */
  async expectNoLeftovers(): Promise<void> {
    await this.#victim?.stop();
    await this.#survivor?.stop();
    await this.#postgis.query(
      `UPDATE ${this.#schema}.object_leftovers SET created_at = created_at - interval '2 days'`,
    );
    await this.#collect();
    const rows = await this.#postgis.query(`SELECT object FROM ${this.#schema}.blobs WHERE object IS NOT NULL`);
    const named = rows.map((row) => `${this.#schema}/${row['object']}`).toSorted();
    expect(await this.#objects.listKeys(`${this.#schema}/blobs/`)).toEqual(named);
  }

  async #change(
    operation: 'upload' | 'purge',
    { name, value, label }: { readonly name: string; readonly value: number; readonly label: string },
  ): Promise<void> {
    const node = this.#victim as StartedServer;
    const before = this.#values.get(name);
    const former = this.#hashes.get(name);
    if (operation === 'upload') {
      const photo = this.#createPhoto(name, value, this.#choose(SIDES));
      const status = await putPhoto(node, name, photo).then(
        (reply) => reply.status,
        () => 0,
      );
      const found = await this.#findValue(name);
      expect(status === 201 ? [value] : [before, value], label).toContain(found);
      if (found !== value && former !== undefined) this.#hashes.set(name, former);
      this.#values.set(name, found);
      return;
    }
    const path = `/workspaces/acme/coveragestores/${name}?recurse=true&purge=all`;
    const status = await node.request('DELETE', path).then(
      (reply) => reply.status,
      () => 0,
    );
    const found = await this.#findValue(name);
    expect(status === 200 || before === undefined ? [undefined] : [before, undefined], label).toContain(found);
    this.#values.set(name, found);
    if (status === 200 && former !== undefined) {
      this.#purged.add(former);
      await this.#expectNoPurged(label);
    }
  }

  async #findValue(name: string): Promise<Value> {
    this.#objects.fail(() => undefined);
    return readValue(this.#survivor as StartedServer, name);
  }

  async #copy(round: number, label: string): Promise<void> {
    const target = `${this.#schema}_copy_${round}`;
    let output = '';
    const run = () => {
      output = '';
      const print = (text: string) => {
        output += text;
      };
      const words = [
        ...['copy', '--from', postgresAddress(this.#postgis, this.#schema)],
        ...['--from-blobs', this.#objects.addressOf(this.#schema)],
        ...['--to', postgresAddress(this.#postgis, target), '--to-blobs', this.#objects.addressOf(target)],
      ];
      const world = { folder: '/', environment: credentialVariables, print, printError: print };
      return runStorageCommand(words, world);
    };
    const code = await run();
    this.#objects.fail(() => undefined);
    if (code !== 0) expect(await run(), `${label}: ${output}`).toBe(0);
    const copied = await this.#postgis.query(`SELECT hash FROM ${target}.blobs WHERE object IS NOT NULL ORDER BY hash`);
    const names = await this.#postgis.query(`SELECT hash FROM ${this.#schema}.blobs WHERE bytes > 65536 ORDER BY hash`);
    expect(copied, label).toEqual(names);
  }

  async #collect(): Promise<void> {
    const location = placeIn(this.#postgis, this.#schema);
    const store = new S3Store(this.#objects.options(this.#schema));
    const blobs = new ObjectBlobs({ location, shelf: 'blobs', clock: Date.now, objects: store });
    try {
      await blobs.collectLeftovers();
    } finally {
      await blobs.close();
      store.close();
    }
  }

  /** Starts a killed node again, possibly with an empty disk. */
  async #recover(isDiskLost: boolean): Promise<void> {
    this.#objects.fail(() => undefined);
    if (this.#killing === undefined) return;
    await this.#killing;
    this.#killing = undefined;
    const victim = this.#victim as StartedServer;
    if (isDiskLost) await rm(victim.dataDir, { recursive: true, force: true });
    this.#victim = await this.#startNode(victim.dataDir);
  }

  async #expectStates(label: string): Promise<void> {
    for (const node of [this.#victim, this.#survivor]) {
      for (const name of photos) {
        expect(await readValue(node as StartedServer, name), label).toBe(this.#values.get(name));
      }
    }
    await this.#expectNoPurged(label);
  }

  async #expectNoPurged(label: string): Promise<void> {
    const keys = await this.#objects.listKeys(`${this.#schema}/blobs/`);
    // Keys of files that were uploaded while they arrived do not contain the hash.
    for (const key of this.#purged.size === 0 ? [] : keys) {
      const { hash } = await realDisk.hashFile(this.#objects.fileOf(key));
      expect(this.#purged, `${label}: ${key}`).not.toContain(hash);
    }
  }

  #createPhoto(name: string, value: number, side: number): Buffer {
    const photo = createPhoto(value, side);
    this.#hashes.set(name, createHash('sha256').update(photo).digest('hex'));
    return photo;
  }

  async #startNode(dataDir?: string): Promise<StartedServer> {
    const flags = flagsOf(this.#postgis, this.#objects, this.#schema);
    return startServer({ flags, environment, expectedLog, ...(dataDir === undefined ? {} : { dataDir }) });
  }
}

/** Of one grey value, with a last row of noise: no two photos have the same bytes. */
function createPhoto(value: number, side: number): Buffer {
  return createGeotiff(side, Buffer.concat([Buffer.alloc(side * (side - 1), value), randomBytes(side)]));
}

const putPhoto = (node: StartedServer, name: string, body: Buffer) =>
  node.request('PUT', `/workspaces/acme/coveragestores/${name}/file.geotiff`, {
    headers: { 'content-type': 'image/tiff' },
    body,
  });

async function createWorkspace(node: StartedServer): Promise<void> {
  const { status } = await node.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
  expect(status).toBe(201);
}

/** Reads the file of the photo, through the copies of the node. */
async function readValue(node: StartedServer, name: string): Promise<Value> {
  const path = `/workspaces/acme/coveragestores/${name}.json`;
  const { status } = await node.request('GET', path);
  if (status === 404) return undefined;
  expect(status).toBe(200);
  const query = `service=WMS&version=1.1.1&request=GetFeatureInfo&layers=acme:${name}&query_layers=acme:${name}&styles=&srs=EPSG:32633&bbox=500000,4999800,500300,5000000&width=30&height=20&x=3&y=3&info_format=application/json`;
  const reply = await fetch(new URL(`/geoserver/wms?${query}`, node.url));
  const text = await reply.text();
  const failures = node.log().filter(({ level }) => Number(level) >= 40);
  expect(text, JSON.stringify(failures.slice(-3))).toMatch(/^\{/);
  const { features } = JSON.parse(text) as { readonly features: readonly { readonly properties: object }[] };
  return Object.values(features[0]?.properties ?? {})[0] as Value;
}
