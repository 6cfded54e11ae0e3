/** The whole configuration: told, compared, and changed in one step. */
import { Agent } from 'node:http';
import { call } from './call.ts';
import type { ServerChild } from './server-child.ts';

export interface ConfigurationCosts {
  readonly exportMs: number;
  readonly diffMs: number;
  /** The most memory that the server has had. */
  readonly peakMegabytes: number;
  /** The longest that somebody waited for a small read meanwhile. */
  readonly longestReadMs: number;
  readonly resources: number;
}

export async function measureConfiguration(server: ServerChild): Promise<ConfigurationCosts> {
  const agent = new Agent({ keepAlive: true });
  const url = `${server.restUrl}/configuration`;
  // What is loaded with the first such request is not measured.
  await call(agent, 'GET', `${url}?path=/nowhere`);
  const bystander = watchReads(agent, server);
  const told = await call(agent, 'GET', url);
  const sent = { type: 'application/json', body: told.body };
  const compared = await call(agent, 'POST', `${url}/diff?mode=mirror`, sent);
  const longestReadMs = await bystander.end();
  const { steps } = JSON.parse(compared.body) as { readonly steps: readonly unknown[] };
  if (told.status !== 200 || compared.status !== 200 || steps.length > 0) {
    throw new Error(
      `The configuration answered ${told.status}, its diff ${compared.status} with ${steps.length} steps`,
    );
  }
  agent.destroy();
  const { resources } = JSON.parse(told.body) as { readonly resources: readonly unknown[] };
  return {
    exportMs: told.ms,
    diffMs: compared.ms,
    peakMegabytes: await server.peakRssMb(),
    longestReadMs,
    resources: resources.length,
  };
}

function watchReads(agent: Agent, server: ServerChild): { end(): Promise<number> } {
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

export interface ApplyCosts {
  readonly singlyMs: number;
  readonly togetherMs: number;
}

/** So many new workspaces, one by one and in one change. */
export async function measureApply(server: ServerChild, count: number): Promise<ApplyCosts> {
  const agent = new Agent({ keepAlive: true });
  const names = (prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const startedAt = performance.now();
  for (const name of names('single')) {
    const body = JSON.stringify({ workspace: { name } });
    const { status } = await call(agent, 'POST', `${server.restUrl}/workspaces`, { type: 'application/json', body });
    if (status !== 201) throw new Error(`A workspace answered ${status}`);
  }
  const singlyMs = performance.now() - startedAt;
  const resources = names('applied').map((name) => ({ kind: 'workspace', path: `/workspaces/${name}`, fields: {} }));
  const body = JSON.stringify({ format: 'graticule-configuration/1', resources });
  const url = `${server.restUrl}/configuration/apply`;
  const { status, ms, body: answer } = await call(agent, 'POST', url, { type: 'application/json', body });
  if (status !== 200) throw new Error(`An apply answered ${status}: ${answer}`);
  agent.destroy();
  return { singlyMs, togetherMs: ms };
}
