/** The memory of the server while several clients draw large maps and export all features in parallel. */
import { join } from 'node:path';
import { serverOptions } from './bystanders/catalog-loads.ts';
import { exportFormats, exportUrl, mapUrl } from './bystanders/feature-loads.ts';
import { describeReply, sendLoad } from './bystanders/load.ts';
import { parcelsStore, publish, SHAPEFILE, writeParcels } from './feature-data.ts';
import type { Bench } from './sections/section.ts';
import { startServerChild } from './server-child.ts';

export interface ParallelMemory {
  readonly idleMb: number;
  readonly peakMb: number;
  readonly afterMb: number;
  /** Whether the server was still running at the end. */
  readonly hasSurvived: boolean;
  /** The number of requests by outcome. */
  readonly answers: Readonly<Record<string, number>>;
}

const FEATURES = 1_000_000;
/** Each client sends this many, alternating maps and exports. */
const REQUESTS_A_CLIENT = 3;
const TIMEOUT_MS = 90_000;

export async function measureParallelClients(bench: Bench, clients: number): Promise<ParallelMemory> {
  const dataDir = join(await bench.directory(), 'data-directory');
  const server = await startServerChild(dataDir, {}, serverOptions(bench));
  try {
    await writeParcels(dataDir, bench.scaled(FEATURES));
    await publish(server, [parcelsStore()]);
    const idleMb = await server.rssMb();
    const formats = Object.keys(exportFormats);
    const answers: Record<string, number> = {};
    const client = async (_: unknown, index: number): Promise<void> => {
      for (let turn = 0; turn < REQUESTS_A_CLIENT; turn += 1) {
        const number = index * REQUESTS_A_CLIENT + turn;
        const isMap = number % 2 === 0;
        const url = isMap
          ? mapUrl(server, SHAPEFILE, 2_000 + number)
          : exportUrl(server, SHAPEFILE, formats[number % formats.length] ?? 'geojson');
        const reply = await sendLoad({ url, isAnonymous: true, timeoutMs: TIMEOUT_MS }).catch(() => undefined);
        const answer = reply === undefined ? 'connection lost' : (describeReply(reply).split(',')[0] ?? '');
        const name = `${isMap ? 'map' : 'export'} ${answer}${reply?.isCutOff === true ? ' cut off' : ''}`;
        answers[name] = (answers[name] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    const hasSurvived = !server.hasEnded();
    const [peakMb, afterMb] = hasSurvived ? [await server.peakRssMb(), await server.rssMb()] : [Number.NaN, Number.NaN];
    return { idleMb, peakMb, afterMb, hasSurvived, answers };
  } finally {
    await server.stop();
  }
}
