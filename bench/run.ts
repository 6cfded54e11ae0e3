/** `npm run bench`: measures what users notice, each figure with a baseline of the same run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createReport } from './report.ts';
import { benchBackup } from './sections/backup.ts';
import { benchBystanders } from './sections/bystanders.ts';
import { benchChecks } from './sections/checks.ts';
import { benchConfiguration } from './sections/configuration.ts';
import { benchConsole } from './sections/console.ts';
import { benchEvents } from './sections/events.ts';
import { benchFeatures } from './sections/features.ts';
import { benchHistory } from './sections/history.ts';
import { benchIdentity } from './sections/identity.ts';
import { benchLayers } from './sections/layers.ts';
import { benchLists } from './sections/lists.ts';
import { benchMaps } from './sections/maps.ts';
import { benchMemory } from './sections/memory.ts';
import { benchMosaics } from './sections/mosaics.ts';
import { benchMovingIn } from './sections/moving-in.ts';
import { benchNodes } from './sections/nodes.ts';
import { benchObjects } from './sections/objects.ts';
import { benchParquet } from './sections/parquet.ts';
import { benchReads } from './sections/reads.ts';
import type { Bench, Section } from './sections/section.ts';
import { benchStarts } from './sections/starts.ts';
import { benchStreams } from './sections/streams.ts';
import { benchStyles } from './sections/styles.ts';
import { benchTables } from './sections/tables.ts';
import { benchTileArchives } from './sections/tile-archives.ts';
import { benchTiles } from './sections/tiles.ts';
import { benchTls } from './sections/tls.ts';
import { benchTransformations } from './sections/transformations.ts';
import { benchVectorData } from './sections/vector-data.ts';
import { benchWrites } from './sections/writes.ts';
import { seedCatalog } from './seed.ts';

const sections: Readonly<Record<string, Section>> = {
  starts: benchStarts,
  reads: benchReads,
  tls: benchTls,
  identity: benchIdentity,
  lists: benchLists,
  writes: benchWrites,
  events: benchEvents,
  history: benchHistory,
  configuration: benchConfiguration,
  moving: benchMovingIn,
  checks: benchChecks,
  styles: benchStyles,
  bystanders: benchBystanders,
  vector: benchVectorData,
  tables: benchTables,
  features: benchFeatures,
  streams: benchStreams,
  maps: benchMaps,
  tiles: benchTiles,
  archives: benchTileArchives,
  parquet: benchParquet,
  transformations: benchTransformations,
  mosaics: benchMosaics,
  layers: benchLayers,
  console: benchConsole,
  memory: benchMemory,
  nodes: benchNodes,
  objects: benchObjects,
  backup: benchBackup,
};

const usage = `npm run bench -- [--runs N] [--only CASE ...] [--scale S] [--memory SIZE] [section ...]

  --runs N       repeat everything N times
  --only CASE    only cases whose name begins so, of the sections bystanders, identity, maps, memory, objects and tiles
  --scale S      sizes of data in bystanders, console, memory, moving, objects and parquet, 1 by default: 0.01 for a quick run
  --memory SIZE  start the servers of the sections bystanders and memory with this memory budget, such as 512MB

sections: ${Object.keys(sections).join(', ')}
`;

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    scale: { type: 'string', default: '1' },
    memory: { type: 'string' },
  },
  allowPositionals: true,
});
const runs = Number(values.runs);
const scale = Number(values.scale);
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0 || !Number.isInteger(runs) || runs < 1 || !(scale > 0)) {
  process.stderr.write(usage);
  process.exit(1);
}

const report = createReport((line) => process.stderr.write(`${line}\n`));
const chosen = Object.entries(sections).filter(([name]) => positionals.length === 0 || positionals.includes(name));
for (let run = 1; run <= runs; run += 1) {
  const root = await mkdtemp(join(tmpdir(), 'graticule-bench-'));
  try {
    for (const [name, measure] of chosen) {
      process.stderr.write(`${runs === 1 ? '' : `run ${run}, `}${name}\n`);
      await measure(benchIn(root, report));
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
process.stdout.write(report.table());

function benchIn(root: string, to: Bench['report']): Bench {
  const directory = (): Promise<string> => mkdtemp(join(root, 'part-'));
  return {
    report: to,
    directory,
    async seeded(count) {
      const made = await directory();
      await seedCatalog(made, count);
      return made;
    },
    isChosen: (name) => values.only.length === 0 || values.only.some((start) => name.startsWith(start)),
    scaled: (count) => Math.max(1, Math.round(count * scale)),
    memory: values.memory,
  };
}
