/** Queries of features in a large table, beside the bare SQL. */
import { findPostgis } from '../../test/support/find-postgis.ts';
import { startPostgis } from '../../test/support/services/postgis.ts';
import { measureFeatureQueries } from '../feature-queries.ts';
import { type Bench, thousands } from './section.ts';

const MAX_RSS_MEGABYTES = 200;

export async function benchFeatures({ report }: Bench): Promise<void> {
  const programs = findPostgis();
  if (programs === undefined) {
    report.skip('ask PostGIS for pages of features', 'PostGIS is missing');
    return;
  }
  const postgis = await startPostgis(programs);
  try {
    const { connection, template } = postgis.details;
    const cost = await measureFeatureQueries({ ...connection, database: template });
    const many = thousands(cost.rows);
    const overBare = cost.pageMs / cost.bareMs;
    const overFirst = cost.farPageMs / cost.firstPageMs;
    report.add({
      what: `a page of 1,000 features in a box out of ${many} in PostGIS, p50`,
      measured: `${cost.pageMs.toFixed(1)} ms`,
      baseline: `${cost.bareMs.toFixed(1)} ms (the bare SQL)`,
      ratio: overBare.toFixed(2),
      aim: 'ratio at most 1.5',
      met: overBare <= 1.5,
    });
    report.add({
      what: `a page of 1,000 features behind nine tenths of ${many}, p50`,
      measured: `${cost.farPageMs.toFixed(1)} ms`,
      baseline: `${cost.firstPageMs.toFixed(1)} ms (the first page)`,
      ratio: overFirst.toFixed(2),
      aim: 'ratio at most 1.5',
      met: overFirst <= 1.5,
    });
    report.add({
      what: `read ${many} features one after the other, resident memory at its highest`,
      measured: `${cost.rssMegabytes.toFixed(0)} MB, ${(cost.streamedMs / 1_000).toFixed(1)} s`,
      baseline: `${cost.idleMegabytes.toFixed(0)} MB before`,
      ratio: (cost.rssMegabytes / cost.idleMegabytes).toFixed(2),
      aim: `at most ${MAX_RSS_MEGABYTES} MB`,
      met: cost.rssMegabytes <= MAX_RSS_MEGABYTES,
    });
  } finally {
    await postgis.stop();
  }
}
