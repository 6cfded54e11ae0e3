/**
 * Granules shared by nodes: the contract of all indexes, versions as in the embedded one, and two nodes in parallel.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddedGranules } from '../../src/raster/granules/embedded/embedded-granules.ts';
import { openSharedGranules } from '../../src/raster/granules/shared/shared-granules.ts';
import type { PostgresLocation } from '../../src/storage/postgres/connection/location.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { granuleIndexContract } from '../contract/granule-index.contract.ts';
import { granuleVersionsContract } from '../contract/granule-versions.contract.ts';
import { draft, drafts, harvest, listLocations, never, type RecordedMosaic, waterSchema } from '../support/granules.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';

describeWithPostgis('granules shared by nodes', (postgis) => {
  const places = openPostgresPlaces(postgis);
  let place: PostgresLocation;
  const opened: EmbeddedGranules[] = [];
  const openNode = (): EmbeddedGranules => {
    const { config, schema } = place;
    const node = openSharedGranules({ config, schema, clock: Date.now });
    opened.push(node);
    return node;
  };
  beforeAll(async () => {
    place = places.take();
    await (await openPostgresStorage({ location: place, kinds: [] })).close();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
  });

  granuleIndexContract('an index that nodes share', async () => ({
    mosaic: openNode().openMosaic('m1'),
    destroy: async () => undefined,
  }));

  granuleVersionsContract('an index that nodes share', () => openNode());

  describe('shared granules on two nodes', () => {
    let nodes: readonly [RecordedMosaic, RecordedMosaic];
    beforeEach(async () => {
      nodes = [
        { mosaic: openNode().openMosaic('m1'), version: 0 },
        { mosaic: openNode().openMosaic('m1'), version: 0 },
      ];
      await nodes[0].mosaic.drop(never);
    });

    test('a harvest on one node is visible to the other with the version that the record names', async () => {
      const [one, other] = nodes;

      await harvest(one, drafts(3));

      expect(await listLocations(other.mosaic.open(waterSchema, one.version))).toEqual(
        drafts(3).map(({ location }) => location),
      );
      expect(await listLocations(other.mosaic.open(waterSchema, 0))).toEqual([]);
    });

    test('a session waits for one of the other node, and reads the version after it', async () => {
      const [one, other] = nodes;
      await harvest(one, drafts(1));
      const first = await one.mosaic.startWriting(async () => one.version, never);
      const second = other.mosaic.startWriting(async () => one.version, never);
      await first.add(waterSchema, [draft(1)]);
      await first.commit();
      one.version = first.version;
      await first.end();

      const session = await second;

      expect(session.base).toBe(first.version);
      expect(await listLocations(session.read(waterSchema))).toEqual(drafts(2).map(({ location }) => location));
      await session.end();
    });
  });
});
