/** Measures creating new objects one by one over one connection, and creating the same objects in one change. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pointShapefile, writeShapefiles } from '../test/support/vector-samples.ts';
import { call } from './call.ts';
import type { ServerChild } from './server-child.ts';

export interface ApplyCosts {
  readonly singlyMs: number;
  readonly togetherMs: number;
  /** CPU time of the server in the best round: it depends less on other load of the machine. */
  readonly togetherProcessorMs: number;
}

/** A type of object to create in large numbers. */
export interface AppliedKind {
  readonly what: string;
  /** The record kinds of one object in the configuration. */
  readonly kinds: readonly string[];
  /** The target for each object. */
  readonly maxMsEach: number;
  /** The request that creates the object of this name. */
  make(name: string): { readonly path: string; readonly type: string; readonly body: string };
}

const json = 'application/json';
const SETTLING_MS = 5_000;

export const workspaces: AppliedKind = {
  what: 'workspaces',
  kinds: ['workspace'],
  maxMsEach: 0.2,
  make: (name) => ({ path: '/workspaces', type: json, body: JSON.stringify({ workspace: { name } }) }),
};

export const styles: AppliedKind = {
  what: 'styles',
  kinds: ['style'],
  maxMsEach: 0.7,
  make: (name) => ({
    path: `/styles?name=${name}`,
    type: 'application/vnd.ogc.sld+xml',
    body: `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>${name}</Name><UserStyle>
      <FeatureTypeStyle><Rule><PointSymbolizer/></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  }),
};

/** Feature types of one store, each with its layer. */
export const layers: AppliedKind = {
  what: 'layers of one store',
  kinds: ['featureType', 'layer'],
  maxMsEach: 0.7,
  make: (name) => ({
    path: '/workspaces/shapes/datastores/shapes/featuretypes',
    type: json,
    body: JSON.stringify({ featureType: { name, nativeName: 'places' } }),
  }),
};

/** The store of the layers; files below `data` are read in place. */
export async function placeShapes(server: ServerChild, dataDir: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  await writeShapefiles(join(dataDir, 'data/shapes'), { places: pointShapefile() });
  const entry = [{ '@key': 'url', $: 'file:data/shapes/' }];
  await done(agent, server, '/workspaces', json, { workspace: { name: 'shapes' } });
  await done(agent, server, '/workspaces/shapes/datastores', json, {
    dataStore: { name: 'shapes', connectionParameters: { entry } },
  });
  agent.destroy();
}

/** In alternation; the best of each counts. The apply creates the same objects under other names. */
export async function measureApply(
  server: ServerChild,
  { kinds, make }: AppliedKind,
  { count, rounds }: Readonly<Record<'count' | 'rounds', number>>,
): Promise<ApplyCosts> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const singly: number[] = [];
  const together: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const prefix = `single-${round}-`;
    const startedAt = performance.now();
    for (let index = 0; index < count; index += 1) {
      const { path, type, body } = make(`${prefix}${index}`);
      await done(agent, server, path, type, body);
    }
    singly.push(performance.now() - startedAt);
    const document = await renamed(agent, server, kinds, prefix, `applied-${round}-`);
    const beforeMs = await server.processorMs();
    together.push(await done(agent, server, '/configuration/apply', json, document));
    processor.push((await server.processorMs()) - beforeMs);
    // Separate files are written after the reply, and must not slow down the next round.
    await wait(SETTLING_MS);
  }
  agent.destroy();
  return {
    singlyMs: Math.min(...singly),
    togetherMs: Math.min(...together),
    togetherProcessorMs: Math.min(...processor),
  };
}

async function renamed(
  agent: Agent,
  server: ServerChild,
  kinds: readonly string[],
  from: string,
  to: string,
): Promise<string> {
  const query = kinds.map((kind) => `kind=${kind}`).join('&');
  const { body } = await call(agent, 'GET', `${server.restUrl}/configuration?${query}`);
  const document = JSON.parse(body) as {
    readonly resources: readonly { readonly path: string }[];
  };
  const resources = document.resources.filter(({ path }) => path.includes(`/${from}`));
  return JSON.stringify({ ...document, resources }).replaceAll(from, to);
}

/** Returns the duration. */
async function done(agent: Agent, server: ServerChild, path: string, type: string, sent: unknown): Promise<number> {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const { status, ms, body: answer } = await call(agent, 'POST', `${server.restUrl}${path}`, { type, body });
  if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${answer}`);
  return ms;
}
