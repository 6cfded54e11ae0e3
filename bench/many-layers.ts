/**
 * Publishes very many layers from several clients: whether the cost grows with their number, and how long a restart
 * takes.
 */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { pointShapefile, writeShapefiles } from '../test/support/vector-samples.ts';
import { call } from './call.ts';
import { percentile } from './percentile.ts';
import { startServerChild } from './server-child.ts';

const LAYERS_A_WORKSPACE = 100;
const CLIENTS = 8;

/** Compares this many at the beginning, after a warm-up, with as many at the end. */
const WINDOW = 1_000;

export interface ManyLayers {
  readonly layers: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly restartMs: number;
  /** One workspace of a hundred layers. */
  readonly listMs: number;
  readonly deleteMs: number;
}

export async function measureManyLayers(folder: string, layers: number): Promise<ManyLayers> {
  const dataDir = join(folder, 'data-directory');
  const server = await startServerChild(dataDir);
  await writeShapefiles(join(dataDir, 'data/shapes'), { places: pointShapefile() });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const send = async (method: string, path: string, document?: unknown): Promise<number> => {
    const sent = document === undefined ? undefined : { type: 'application/json', body: JSON.stringify(document) };
    const { status, ms, body } = await call(agent, method, `${server.restUrl}${path}`, sent);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${body}`);
    return ms;
  };

  const costs: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    // Each client creates one workspace at a time with all its layers.
    while (next < layers) {
      const workspace = `w${next / LAYERS_A_WORKSPACE}`;
      next += LAYERS_A_WORKSPACE;
      const entry = [{ '@key': 'url', $: 'file:data/shapes/' }];
      await send('POST', '/workspaces', { workspace: { name: workspace } });
      await send('POST', `/workspaces/${workspace}/datastores`, {
        dataStore: { name: 'shapes', connectionParameters: { entry } },
      });
      const types = `/workspaces/${workspace}/datastores/shapes/featuretypes`;
      for (let index = 0; index < LAYERS_A_WORKSPACE; index += 1) {
        costs.push(await send('POST', types, { featureType: { name: `l${index}`, nativeName: 'places' } }));
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await server.stop();

  const again = await startServerChild(dataDir);
  const timed = async (method: string, path: string): Promise<number> => {
    const { status, ms } = await call(agent, method, `${again.restUrl}${path}`);
    if (status !== 200) throw new Error(`${method} ${path} answered ${status}`);
    return ms;
  };
  const lists: number[] = [];
  const deletions: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    lists.push(await timed('GET', '/workspaces/w1/layers.json'));
    deletions.push(await timed('DELETE', `/layers/w0:l${index}?recurse=true`));
  }
  agent.destroy();
  await again.stop();
  return {
    layers: costs.length,
    firstMs: percentile(costs.slice(WINDOW, 2 * WINDOW), 0.5),
    lastMs: percentile(costs.slice(-WINDOW), 0.5),
    restartMs: again.readyAfterMs,
    listMs: percentile(lists, 0.5),
    deleteMs: percentile(deletions, 0.5),
  };
}
