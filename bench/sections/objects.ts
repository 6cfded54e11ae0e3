/** Object stores: large uploads, and kept tiles that nodes share. */
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { measureObjectUpload } from '../object-uploads.ts';
import { measureSharedTiles } from '../shared-tiles.ts';
import type { Bench } from './section.ts';

/** An image of 1 GB. */
const PIXELS = 32_768;
const MAX_UPLOAD_RATIO = 1.3;
const MAX_PEAK_MB = 250;
const MAX_TILE_RATIO = 1.1;

export async function benchObjects(bench: Bench): Promise<void> {
  if (bench.isChosen('tiles')) await benchTiles(bench);
  if (bench.isChosen('upload')) await benchUpload(bench);
}

async function benchTiles({ report, directory }: Bench): Promise<void> {
  const rates = await measureSharedTiles(await directory());
  report.add({
    what: 'a kept tile of a server with --tiles s3://, in its own cache',
    measured: `${rates.sharedPerSecond.toFixed(0)} a second (${rates.tiles} tiles one after the other: ${rates.storeMs.toFixed(1)} ms each from the store, ${rates.warmMs.toFixed(1)} ms after that)`,
    baseline: `${rates.ownPerSecond.toFixed(0)} a second (a server without --tiles)`,
    ratio: rates.ratio.toFixed(2),
    aim: `ratio at most ${MAX_TILE_RATIO}`,
    met: rates.ratio <= MAX_TILE_RATIO,
  });
}

async function benchUpload({ report, directory, scaled }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('upload to an object store', 'PostgreSQL is missing');
    return;
  }
  const postgres = await startPostgis(programs);
  try {
    const pixels = scaled(PIXELS);
    const upload = await measureObjectUpload(postgres.details.connection, await directory(), pixels);
    const ratio = upload.uploadedMs / upload.bareMs;
    report.add({
      what: `upload ${upload.megabytes.toFixed(0)} MB to a node with an object store`,
      measured: `${upload.uploadedMs.toFixed(0)} ms, ${upload.processorMs.toFixed(0)} ms of processor time (peak memory ${upload.peakMb.toFixed(0)} MB, idle ${upload.idleMb.toFixed(0)} MB)`,
      baseline: `${upload.bareMs.toFixed(0)} ms (the client alone, from a file)`,
      ratio: ratio.toFixed(2),
      aim: `ratio at most ${MAX_UPLOAD_RATIO}, at most ${MAX_PEAK_MB} MB`,
      met: ratio <= MAX_UPLOAD_RATIO && upload.peakMb <= MAX_PEAK_MB,
    });
  } finally {
    await postgres.stop();
  }
}
