/**
 * Loaded into the server before its own code (`node --import`): measures the longest event loop turn, in time and in
 * CPU time of the main thread. A busy machine lengthens the first; only work of the server lengthens the second. With
 * BENCH_STALLS=<file> it also writes which functions ran during each turn above STALL_MS.
 */
import { writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

export interface LongestTurn {
  readonly ms: number;
  /** CPU time of the main thread in its busiest turn, including garbage collection. */
  readonly cpuMs: number;
}

interface Stall {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cpuMs: number;
}

/** Between two beats there is at least one turn. */
const BEAT_MS = 5;
const STALL_MS = 40;
const SAMPLE_MICROSECONDS = 1_000;
const SHOWN_STALLS = 40;
const SHOWN_STACKS = 6;
const SHOWN_FRAMES = 5;

if (isMainThread) await watchTurns(process.env['BENCH_STALLS']);

async function watchTurns(stallsFile: string | undefined): Promise<void> {
  const stalls: Stall[] = [];
  let longest: LongestTurn = { ms: 0, cpuMs: 0 };
  // The start of the server does not count as load.
  let isRequested = false;
  let beatAt = nowMs();
  let beatCpu = process.threadCpuUsage();
  setInterval(() => {
    const now = nowMs();
    const { user, system } = process.threadCpuUsage(beatCpu);
    const [ms, cpuMs] = [now - beatAt - BEAT_MS, (user + system) / 1_000];
    longest = { ms: Math.max(longest.ms, ms), cpuMs: Math.max(longest.cpuMs, cpuMs) };
    if (isRequested && stallsFile !== undefined && Math.max(ms, cpuMs) > STALL_MS)
      stalls.push({ fromMs: beatAt, toMs: now, cpuMs });
    beatAt = nowMs();
    beatCpu = process.threadCpuUsage();
  }, BEAT_MS).unref();
  process.on('message', () => {
    isRequested = true;
    process.send?.(longest);
    longest = { ms: 0, cpuMs: 0 };
  });
  // The channel to the parent alone must not keep the server alive.
  process.channel?.unref();
  if (stallsFile === undefined) return;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  process.once('SIGTERM', async () => {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(stallsFile, describeStalls(stalls, profile));
  });
}

/** On the clock that profiles use. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}

/** For each stall: the time by running function, and by the nearest functions of the server around it. */
function describeStalls(stalls: readonly Stall[], profile: Profiler.Profile): string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const formatStack = (id: number): string => {
    const names: string[] = [];
    for (let at: number | undefined = id; at !== undefined && names.length < SHOWN_FRAMES; at = parents.get(at)) {
      const { functionName = '', url = '', lineNumber = 0 } = nodes.get(at)?.callFrame ?? {};
      const isOwn = url.includes('/src/');
      if (at === id || isOwn)
        names.push(`${functionName || '(anonymous)'} ${url.replace(/.*\/src\//, '')}:${lineNumber + 1}`);
    }
    return names.join(' < ');
  };
  let micros = profile.startTime;
  const times = (profile.timeDeltas ?? []).map((delta) => {
    micros += delta;
    return micros / 1_000;
  });
  const worst = [...stalls].sort((one, other) => other.cpuMs - one.cpuMs).slice(0, SHOWN_STALLS);
  return worst
    .map(({ fromMs, toMs, cpuMs }) => {
      const counts = new Map<string, number>();
      for (const [index, at] of times.entries()) {
        const sample = profile.samples?.[index];
        if (at < fromMs || at > toMs || sample === undefined) continue;
        const stack = formatStack(sample);
        counts.set(stack, (counts.get(stack) ?? 0) + 1);
      }
      const top = [...counts].sort(([, one], [, other]) => other - one).slice(0, SHOWN_STACKS);
      const stacks = top.map(([stack, count]) => `  ${count} x ${stack}`).join('\n');
      return `at ${fromMs.toFixed(0)} ms: ${(toMs - fromMs).toFixed(0)} ms, processor ${cpuMs.toFixed(0)} ms\n${stacks}\n`;
    })
    .join('\n');
}
