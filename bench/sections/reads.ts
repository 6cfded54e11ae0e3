/** High volumes of small reads. */
import { measureLogin } from '../login.ts';
import { startServerChild } from '../server-child.ts';
import { measureSystemStatus } from '../system-status.ts';
import { measureThroughput } from '../throughput.ts';
import { type Bench, LARGE } from './section.ts';

export async function benchReads({ report, seeded }: Bench): Promise<void> {
  const server = await startServerChild(await seeded(LARGE));
  const read = await measureThroughput(server, '/workspaces/seed.json');
  report.add({
    what: 'GET one workspace, JSON',
    measured: `${read.requestsPerSecond.toFixed(0)} a second`,
    baseline: `${read.baselinePerSecond.toFixed(0)} a second (bare Fastify, same size)`,
    ratio: read.ratio.toFixed(2),
    aim: 'ratio at least 0.5',
    met: read.ratio >= 0.5,
  });
  const login = await measureLogin(server, '/workspaces/seed.json');
  report.add({
    what: 'GET with remembered credentials',
    measured: `${login.microsecondsWithLogin.toFixed(0)} µs`,
    baseline: `${login.microsecondsWithout.toFixed(0)} µs (anonymous /livez)`,
    ratio: login.ratio.toFixed(2),
    aim: 'ratio at most 1.3',
    met: login.ratio <= 1.3,
  });
  const status = await measureSystemStatus(server);
  report.add({
    what: 'GET the system status, p99',
    measured: `${status.p99Ms.toFixed(1)} ms`,
    baseline: `${status.p50Ms.toFixed(1)} ms (its p50)`,
    ratio: (status.p99Ms / status.p50Ms).toFixed(2),
    aim: 'at most 10 ms',
    met: status.p99Ms <= 10,
  });
  await server.stop();
}
