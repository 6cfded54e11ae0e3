/** Publishing and reading vector data. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../test/support/find-program.ts';
import { CSV_POINTS, measureCsvImport } from '../csv-import.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';
import { measureShapefileReading } from '../shapefile-reading.ts';
import { measureLargeUpload, measurePublishing } from '../vector-publishing.ts';
import { type Bench, thousands } from './section.ts';

const MAX_PUBLISH_RATIO = 0.75;
const MAX_UPLOAD_RATIO = 1.2;
const MAX_IMPORT_RATIO = 1.5;
const MAX_UPLOAD_MB = 250;

export async function benchVectorData({ report, directory }: Bench): Promise<void> {
  // Otherwise publishing, which waits for the disk, would also wait for pending writes of earlier sections.
  await promisify(execFile)('sync');
  const server = await startServerChild(await directory());
  if (findProgram(['ogrinfo']) === undefined || findProgram(['unzip']) === undefined) {
    report.skip('publishing and reading a shapefile of 100,000 polygons', 'ogrinfo or unzip is missing');
  } else {
    const publishing = await measurePublishing(server, await directory());
    const publishRatio = publishing.publishMs / publishing.unzipAndOgrinfoMs;
    report.add({
      what: 'publish a zipped shapefile of 100,000 polygons',
      measured: `${publishing.publishMs.toFixed(0)} ms`,
      baseline: `${publishing.unzipAndOgrinfoMs.toFixed(0)} ms (unzip and ogrinfo -so)`,
      ratio: publishRatio.toFixed(2),
      aim: `ratio at most ${MAX_PUBLISH_RATIO}`,
      met: publishRatio <= MAX_PUBLISH_RATIO,
    });
    const reading = await measureShapefileReading(await directory());
    report.add({
      what: 'read its features through the port',
      measured: `${reading.readMs.toFixed(0)} ms`,
      baseline: `${reading.ogr2ogrMs.toFixed(0)} ms (ogr2ogr to CSV, thrown away)`,
      ratio: reading.readRatio.toFixed(2),
      aim: 'ratio at most 1.0',
      met: reading.readRatio <= 1,
    });
  }
  await benchCsvImport(server, { report, directory });
  const upload = await measureLargeUpload(server, await directory());
  await server.stop();
  const size = `${upload.sizeMb.toFixed(0)} MB`;
  if (upload.unzipMs === undefined) {
    report.skip(`publish a stored ZIP of ${size}`, 'unzip is missing');
  } else {
    const ratio = upload.ms / upload.unzipMs;
    report.add({
      what: `publish a stored ZIP of ${size}`,
      measured: `${(upload.ms / 1_000).toFixed(1)} s`,
      baseline: `${(upload.unzipMs / 1_000).toFixed(1)} s (unzip)`,
      ratio: ratio.toFixed(2),
      aim: `ratio at most ${MAX_UPLOAD_RATIO}`,
      met: ratio <= MAX_UPLOAD_RATIO,
    });
  }
  report.add({
    what: `peak memory while a ZIP of ${size} is uploaded`,
    measured: `${upload.peakRssMb.toFixed(0)} MB`,
    baseline: `${size} (its size)`,
    ratio: (upload.peakRssMb / upload.sizeMb).toFixed(2),
    aim: `at most ${MAX_UPLOAD_MB} MB`,
    met: upload.peakRssMb <= MAX_UPLOAD_MB,
  });
}

async function benchCsvImport(
  server: ServerChild,
  { report, directory }: Pick<Bench, 'report' | 'directory'>,
): Promise<void> {
  const what = `import a CSV of ${thousands(CSV_POINTS)} points`;
  if (findProgram(['ogr2ogr']) === undefined) {
    report.skip(what, 'ogr2ogr is missing');
    return;
  }
  const { importMs, ogr2ogrMs } = await measureCsvImport(server, await directory());
  const ratio = importMs / ogr2ogrMs;
  report.add({
    what,
    measured: `${(importMs / 1_000).toFixed(1)} s`,
    baseline: `${(ogr2ogrMs / 1_000).toFixed(1)} s (ogr2ogr to a GeoPackage)`,
    ratio: ratio.toFixed(2),
    aim: `ratio at most ${MAX_IMPORT_RATIO}`,
    met: ratio <= MAX_IMPORT_RATIO,
  });
}
