/** The whole configuration: exported, compared, and changed in one step. */
import { Agent } from 'node:http';
import { call } from './call.ts';
import type { ServerChild } from './server-child.ts';

export interface ConfigurationCosts {
  readonly exportMs: number;
  readonly diffMs: number;
  /** The peak memory of the server. */
  readonly peakMegabytes: number;
  /** The longest latency of a small read in the meantime. */
  readonly longestReadMs: number;
  readonly resources: number;
}

export async function measureConfiguration(server: ServerChild): Promise<ConfigurationCosts> {
  const agent = new Agent({ keepAlive: true });
  const url = `${server.restUrl}/configuration`;
  // Warm-up: the first such request also loads code.
  await call(agent, 'GET', `${url}?path=/nowhere`);
  const bystander = watchReads(agent, server);
  const exported = await call(agent, 'GET', url);
  const sent = { type: 'application/json', body: exported.body };
  const compared = await call(agent, 'POST', `${url}/diff?mode=mirror`, sent);
  const longestReadMs = await bystander.end();
  const { steps } = JSON.parse(compared.body) as { readonly steps: readonly unknown[] };
  if (exported.status !== 200 || compared.status !== 200 || steps.length > 0) {
    throw new Error(
      `The configuration answered ${exported.status}, its diff ${compared.status} with ${steps.length} steps`,
    );
  }
  agent.destroy();
  const { resources } = JSON.parse(exported.body) as { readonly resources: readonly unknown[] };
  return {
    exportMs: exported.ms,
    diffMs: compared.ms,
    peakMegabytes: await server.peakRssMb(),
    longestReadMs,
    resources: resources.length,
  };
}

/** Repeats a small read until stopped; returns the longest latency. */
export function watchReads(agent: Agent, server: ServerChild): { end(): Promise<number> } {
  let isOver = false;
  let longestMs = 0;
  const reading = (async () => {
    while (!isOver) {
      const { ms } = await call(agent, 'GET', `${server.restUrl}/about/version.json`);
      longestMs = Math.max(longestMs, ms);
    }
  })();
  return {
    async end() {
      isOver = true;
      await reading;
      return longestMs;
    },
  };
}

export interface LookingAround {
  readonly pagesMs: number;
  readonly lastPageMs: number;
  readonly doctorMs: number;
  readonly longestReadMs: number;
}

/** A long listing page by page, and a check of the whole configuration by the server. */
export async function measureLookingAround(server: ServerChild): Promise<LookingAround> {
  const agent = new Agent({ keepAlive: true });
  await call(agent, 'GET', `${server.restUrl}/doctor`);
  const bystander = watchReads(agent, server);
  const startedAt = performance.now();
  let lastPageMs = 0;
  for (let next: string | undefined = `${server.restUrl}/workspaces.json?limit=1000`; next !== undefined; ) {
    const page = await call(agent, 'GET', next);
    if (page.status !== 200) throw new Error(`A page answered ${page.status}`);
    lastPageMs = page.ms;
    next = /<([^>]+)>; rel="next"/.exec(page.link)?.[1];
  }
  const pagesMs = performance.now() - startedAt;
  const { ms: doctorMs, body } = await call(agent, 'GET', `${server.restUrl}/doctor`);
  const longestReadMs = await bystander.end();
  agent.destroy();
  if (!(JSON.parse(body) as { readonly healthy: boolean }).healthy) throw new Error(`The doctor said ${body}`);
  return { pagesMs, lastPageMs, doctorMs, longestReadMs };
}
