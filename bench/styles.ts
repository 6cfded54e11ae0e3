/** Uploading styles and reading them back over one connection: does a style cost more when there are many? */
import { Agent, request } from 'node:http';
import { percentile } from './percentile.ts';
import { authorization, type ServerChild } from './server-child.ts';

const STYLES = 1_000;
const STYLE_BYTES = 20_480;

/** Compared are this many at the beginning, after a warm-up, and as many at the end. */
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

async function uploadAndRead(server: ServerChild, agent: Agent, name: string): Promise<void> {
  const sld = sldOf(name);
  const created = await call(server, agent, 'POST', `/styles?name=${name}`, sld);
  const read = await call(server, agent, 'GET', `/styles/${name}.sld`);
  if (created.status !== 201 || read.body !== sld) {
    throw new Error(`Uploading the style ${name} answered ${created.status}, and reading it ${read.status}`);
  }
}

/** Rules enough for the size, each of its own. */
function sldOf(name: string): string {
  const head = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>${name}</Name><UserStyle><Name>${name}</Name><FeatureTypeStyle>`;
  const tail = '</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>';
  let rules = '';
  for (let index = 0; head.length + rules.length + tail.length < STYLE_BYTES; index += 1) {
    rules += `<Rule><Name>${name}-${index}</Name><ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>class</ogc:PropertyName><ogc:Literal>${index}</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><LineSymbolizer><Stroke><CssParameter name="stroke">#${(index * 4_099).toString(16).padStart(6, '0')}</CssParameter><CssParameter name="stroke-width">${index % 9}</CssParameter></Stroke></LineSymbolizer></Rule>`;
  }
  return `${head}${rules}${tail}`;
}

function call(
  server: ServerChild,
  agent: Agent,
  method: string,
  path: string,
  body?: string,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/vnd.ogc.sld+xml' };
    const options = { method, agent, headers: { authorization, ...type } };
    const sent = request(`${server.restUrl}${path}`, options, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
