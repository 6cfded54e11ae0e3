/** Uploads styles and reads them back over one connection: whether the cost grows with their number or size. */
import { Agent } from 'node:http';
import { call } from './call.ts';
import { percentile } from './percentile.ts';
import type { ServerChild } from './server-child.ts';

const STYLES = 1_000;
const STYLE_BYTES = 20_480;
const SLD = 'application/vnd.ogc.sld+xml';

/** Compares this many at the beginning, after a warm-up, with as many at the end. */
const WINDOW = 100;
const WARM_UP = 100;

export interface StyleCost {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly styles: number;
}

export async function measureStyles(server: ServerChild): Promise<StyleCost> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: number[] = [];
  for (let index = 0; index < WARM_UP; index += 1) {
    await uploadAndRead(server, agent, `warm-${index}`);
  }
  for (let index = 0; index < STYLES; index += 1) {
    const startedAt = performance.now();
    await uploadAndRead(server, agent, `style-${index}`);
    costs.push(performance.now() - startedAt);
  }
  agent.destroy();
  return {
    firstMs: percentile(costs.slice(0, WINDOW), 0.5),
    lastMs: percentile(costs.slice(-WINDOW), 0.5),
    styles: STYLES,
  };
}

/** The duration of uploading a large style. */
export async function measureLargeStyle(server: ServerChild, bytes: number, rounds = 15): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    costs.push(await uploadStyle(server, agent, `large-${bytes}-${round}`, bytes));
  }
  agent.destroy();
  // The first ones are a warm-up.
  return percentile(costs.slice(Math.floor(rounds / 5)), 0.5);
}

/** Returns the duration. */
export async function uploadStyle(server: ServerChild, agent: Agent, name: string, bytes: number): Promise<number> {
  const body = createSld(name, bytes);
  const { status, ms } = await call(agent, 'POST', `${server.restUrl}/styles?name=${name}`, { type: SLD, body });
  if (status !== 201) {
    throw new Error(`Uploading the style ${name} answered ${status}`);
  }
  return ms;
}

async function uploadAndRead(server: ServerChild, agent: Agent, name: string): Promise<void> {
  const sld = createSld(name, STYLE_BYTES);
  const created = await call(agent, 'POST', `${server.restUrl}/styles?name=${name}`, { type: SLD, body: sld });
  const read = await call(agent, 'GET', `${server.restUrl}/styles/${name}.sld`);
  if (created.status !== 201 || read.body !== sld) {
    throw new Error(`Uploading the style ${name} answered ${created.status}, and reading it ${read.status}`);
  }
}

/** Enough distinct rules for the size. */
function createSld(name: string, bytes: number): string {
  const head = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>${name}</Name><UserStyle><Name>${name}</Name><FeatureTypeStyle>`;
  const tail = '</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>';
  let rules = '';
  for (let index = 0; head.length + rules.length + tail.length < bytes; index += 1) {
    rules += `<Rule><Name>${name}-${index}</Name><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>class</ogc:PropertyName><ogc:Literal>${index}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><LineSymbolizer><Stroke><CssParameter name="stroke">#${((index * 4_099) % 0x1000000).toString(16).padStart(6, '0')}</CssParameter><CssParameter name="stroke-width">${index % 9}</CssParameter></Stroke></LineSymbolizer></Rule>`;
  }
  return `${head}${rules}${tail}`;
}
