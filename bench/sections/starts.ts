/** The duration of a start, and the memory of the idle server. */
import { measureBareStart, measureColdStart, measureCommandStart } from '../cold-start.ts';
import { startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const MAX_START_MS = 800;
const MAX_IDLE_MB = 150;
const MAX_COMMAND_MS = 300;

export async function benchStarts({ report, directory, seeded }: Bench): Promise<void> {
  const bare = await measureBareStart();
  const directories = { '0': await directory(), [thousands(LARGE)]: await seeded(LARGE) };
  for (const [objects, dataDir] of Object.entries(directories)) {
    const { startMs, idleRssMb } = await measureColdStart(dataDir);
    report.add({
      what: `cold start with ${objects} objects`,
      measured: `${startMs.toFixed(0)} ms`,
      baseline: `${bare.startMs.toFixed(0)} ms (bare Fastify)`,
      ratio: (startMs / bare.startMs).toFixed(2),
      aim: `at most ${MAX_START_MS} ms`,
      met: startMs <= MAX_START_MS,
    });
    report.add({
      what: `idle memory with ${objects} objects`,
      measured: `${idleRssMb.toFixed(0)} MB`,
      baseline: `${bare.idleRssMb.toFixed(0)} MB (bare Fastify)`,
      ratio: (idleRssMb / bare.idleRssMb).toFixed(2),
      aim: `at most ${MAX_IDLE_MB} MB`,
      met: idleRssMb <= MAX_IDLE_MB,
    });
  }

  const server = await startServerChild(await directory());
  const commandMs = await measureCommandStart(server);
  await server.stop();
  report.add({
    what: 'a command of the command line, from its start to its end',
    measured: `${commandMs.toFixed(0)} ms`,
    baseline: '-',
    ratio: '-',
    aim: `at most ${MAX_COMMAND_MS} ms`,
    met: commandMs <= MAX_COMMAND_MS,
  });
}
