/** The memory for streaming a million features to one client, from every type of large data. */
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { withLargeTable } from '../feature-data.ts';
import { measureFeatureStreams } from '../feature-streams.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const MAX_RSS_MEGABYTES = 200;

export async function benchStreams({ report, directory }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('give all features of large data', 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    await withLargeTable({ ...connection, database: template }, LARGE * 10, async (database) => {
      for await (const cost of measureFeatureStreams(directory, database)) {
        const most = Math.max(cost.peakRssMb, cost.slowPeakRssMb);
        report.add({
          what: `peak memory while ${thousands(cost.features)} features go out, ${cost.source} as ${cost.format}`,
          measured: `${cost.peakRssMb.toFixed(0)} MB (${cost.slowPeakRssMb.toFixed(0)} MB to a slow client)`,
          baseline: `${cost.megabytes.toFixed(0)} MB in ${cost.seconds.toFixed(1)} s (what went out)`,
          ratio: (most / cost.megabytes).toFixed(2),
          aim: `at most ${MAX_RSS_MEGABYTES} MB`,
          met: most <= MAX_RSS_MEGABYTES,
        });
      }
    });
  } finally {
    await postgis.stop();
  }
}
