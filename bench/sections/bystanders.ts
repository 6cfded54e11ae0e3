/** What others feel while one client does something heavy. */
import { Agent } from 'node:http';
import { type Disturbance, measureBystanders } from '../bystanders.ts';
import { call } from '../call.ts';
import { type ServerChild, startServerChild } from '../server-child.ts';
import { uploadStyle } from '../styles.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const MAX_MORE_MS = 50;
const STYLE_BYTES = 9_000_000;
const STORES = 20_000;
const CLIENTS = 16;

export async function benchBystanders({ report, seeded }: Bench): Promise<void> {
  const server = await startServerChild(await seeded(LARGE));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const tell = (what: string, found: Disturbance): void => {
    const moreMs = found.p99DuringMs - found.p99WithoutMs;
    report.add({
      what: `GET p99 of others while ${what}`,
      measured: `${found.p99DuringMs.toFixed(1)} ms (worst ${found.worstDuringMs.toFixed(0)} ms)`,
      baseline: `${found.p99WithoutMs.toFixed(1)} ms (without)`,
      ratio: (found.p99DuringMs / found.p99WithoutMs).toFixed(2),
      aim: `at most ${MAX_MORE_MS} ms more`,
      met: moreMs <= MAX_MORE_MS,
    });
  };
  const style = await measureBystanders(server, async (round) => {
    await uploadStyle(server, agent, `huge-${round}`, STYLE_BYTES);
  });
  tell('a style of 9 MB is uploaded', style);
  const list = await measureBystanders(server, async () => {
    await call(agent, 'GET', `${server.restUrl}/workspaces.json`);
  });
  tell(`${thousands(LARGE)} workspaces are listed`, list);
  await createStores(server, agent);
  const deletion = await measureBystanders(
    server,
    async () => {
      const { status } = await call(agent, 'DELETE', `${server.restUrl}/workspaces/full?recurse=true`);
      if (status !== 200) {
        throw new Error(`Deleting the workspace answered ${status}`);
      }
    },
    1,
  );
  tell(`${thousands(STORES)} records are deleted`, deletion);
  agent.destroy();
  await server.stop();
}

/** Over HTTP, as clients do it: however records are kept, this fills a workspace. */
async function createStores(server: ServerChild, agent: Agent): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const sent = { type: 'application/json', body: JSON.stringify(body) };
    const { status, body: answer } = await call(agent, 'POST', `${server.restUrl}${path}`, sent);
    if (status !== 201) {
      throw new Error(`Creating ${path} answered ${status}: ${answer}`);
    }
  };
  await create('/workspaces', { workspace: { name: 'full' } });
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < STORES) {
      const name = `store-${next}`;
      next += 1;
      const connectionParameters = { url: `file:data/${name}.shp` };
      await create('/workspaces/full/datastores', { dataStore: { name, connectionParameters } });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}
