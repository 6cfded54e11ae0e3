/** `graticule storage move-files`: moves stored files between the database and an object store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectStoreLocation } from '../../storage/objects/location.ts';
import { S3Store } from '../../storage/objects/s3-store.ts';
import type { PostgresLocation } from '../../storage/postgres/connection/location.ts';
import { bindObjectStore, isStoreBound, unbindObjectStore } from '../../storage/postgres/nodes/bind-object-store.ts';
import {
  countLiveNodes,
  type MoveReport,
  moveToDatabase,
  moveToObjects,
} from '../../storage/postgres/nodes/move-objects.ts';
import { readCredentials } from './object-credentials.ts';
import { migrateStorage } from './storage-locations.ts';

export interface FileMove {
  readonly place: PostgresLocation;
  readonly store: ObjectStoreLocation;
  readonly to: 'database' | 'objects';
}

/** A repeated move continues where an interrupted one stopped. */
export async function moveFiles(
  { place, store: location, to }: FileMove,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MoveReport> {
  const objects = new S3Store({ location, credentials: await readCredentials(environment) });
  const folder = await mkdtemp(join(tmpdir(), 'graticule-move-'));
  try {
    await migrateStorage({ kind: 'postgres', place, shown: place.shown });
    await requireUsable(place, to);
    await bindObjectStore(place, objects);
    const options = { location: place, objects, folder };
    if (to === 'objects') return await moveToObjects(options);
    const report = await moveToDatabase(options);
    if (report.damaged.length === 0) await unbindObjectStore(place, objects);
    return report;
  } finally {
    objects.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Nodes can use the files during a move to the store that they use already. */
async function requireUsable(place: PostgresLocation, to: FileMove['to']): Promise<void> {
  const nodes = await countLiveNodes(place);
  if (nodes === 0 || (to === 'objects' && (await isStoreBound(place)))) return;
  const running = nodes === 1 ? '1 node uses' : `${nodes} nodes use`;
  throw new Error(
    to === 'objects'
      ? `${running} the database without the object store. Stop every node, or start all with --blobs first`
      : `${running} the database. Stop every node first`,
  );
}
