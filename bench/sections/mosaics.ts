/** Image mosaics: harvesting many files, and the index of very many granules. */
import { findProgram } from '../../test/support/find-program.ts';
import { measureGranuleListing } from '../granule-listing.ts';
import { FEW_GRANULES, MANY_GRANULES, measureGranulePages } from '../granule-pages.ts';
import { measureHarvest } from '../harvest.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, thousands } from './section.ts';

const MAX_PAGE_MS = 10;
const MAX_PAGE_RATIO = 3;
/** Garbage that the engine has not collected yet does not belong to the list. */
const MAX_LISTING_RATIO = 1.3;
const MAX_HARVEST_RATIO = 1;
const MAX_HARVEST_MB = 250;

export async function benchMosaics({ report, directory }: Bench): Promise<void> {
  const few = await measureGranulePages(await directory(), FEW_GRANULES);
  const many = await measureGranulePages(await directory(), MANY_GRANULES);
  const figures = [
    [`read 100 of ${thousands(MANY_GRANULES)} granules by time and box, p50`, many.pageMs, few.pageMs],
    [`remove one of ${thousands(MANY_GRANULES)} granules by its location, p50`, many.removalMs, few.removalMs],
  ] as const;
  for (const [what, manyMs, fewMs] of figures) {
    report.add({
      what,
      measured: `${manyMs.toFixed(2)} ms`,
      baseline: `${fewMs.toFixed(2)} ms of ${thousands(FEW_GRANULES)}`,
      ratio: (manyMs / fewMs).toFixed(2),
      aim: `at most ${MAX_PAGE_MS} ms and ratio at most ${MAX_PAGE_RATIO}`,
      met: manyMs <= MAX_PAGE_MS && manyMs / fewMs <= MAX_PAGE_RATIO,
    });
  }
  for (const listing of await measureGranuleListing(await directory(), MANY_GRANULES)) {
    const ratio = listing.peakRssMb / listing.shortPeakRssMb;
    report.add({
      what: `peak memory while ${thousands(listing.granules)} granules are listed as ${listing.format}`,
      measured: `${listing.peakRssMb.toFixed(0)} MB (${listing.seconds.toFixed(1)} s)`,
      baseline: `${listing.shortPeakRssMb.toFixed(0)} MB for a tenth of them`,
      ratio: ratio.toFixed(2),
      aim: `ratio at most ${MAX_LISTING_RATIO}`,
      met: ratio <= MAX_LISTING_RATIO,
    });
  }
  if (findProgram(['gdaltindex']) === undefined) {
    report.skip('harvest 10,000 GeoTIFFs', 'gdaltindex is missing');
    return;
  }
  const dataDir = await directory();
  const server = await startServerChild(dataDir);
  try {
    const harvest = await measureHarvest(server, dataDir, await directory());
    const ratio = harvest.harvestMs / harvest.gdaltindexMs;
    const files = thousands(harvest.files);
    report.add({
      what: `harvest ${files} small GeoTIFFs`,
      measured: `${(harvest.harvestMs / 1_000).toFixed(2)} s`,
      baseline: `${(harvest.gdaltindexMs / 1_000).toFixed(2)} s (gdaltindex, without listing folders)`,
      ratio: ratio.toFixed(2),
      aim: `ratio at most ${MAX_HARVEST_RATIO.toFixed(1)}`,
      met: ratio <= MAX_HARVEST_RATIO,
    });
    report.add({
      what: `peak memory while ${files} files are harvested`,
      measured: `${harvest.peakRssMb.toFixed(0)} MB`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${MAX_HARVEST_MB} MB`,
      met: harvest.peakRssMb <= MAX_HARVEST_MB,
    });
  } finally {
    await server.stop();
  }
}
