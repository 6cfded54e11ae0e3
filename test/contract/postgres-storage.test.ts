/** Runs the storage contract over PostgreSQL, in one schema that is emptied for every test. */
import { openPostgresStorage } from '../../src/storage/postgres/open.ts';
import { openPostgresPlaces } from '../support/postgres-places.ts';
import { describeWithPostgis } from '../support/with-postgis.ts';
import { storageContract } from './storage.contract.ts';

/** Every operation is a database round trip. */
const SHARE_OF_HISTORIES = Number(process.env['STORAGE_SHARE'] ?? 0.05);

describeWithPostgis('PostgreSQL storage in its own schema', (postgis) => {
  const places = openPostgresPlaces(postgis);

  storageContract(
    'PostgreSQL',
    async () => {
      const place = places.take();
      return {
        open: (world) => openPostgresStorage({ location: place, ...world }),
        destroy: () => places.giveBack(place),
      };
    },
    SHARE_OF_HISTORIES,
  );
});
