/** The budgets of the console in a browser, with 100,000 layers. */
import { seedLayers } from '../bystanders/layer-loads.ts';
import { ConsoleBench, findChromium } from '../console.ts';
import { authorization, type ServerChild, startServerChild } from '../server-child.ts';
import { type Bench, LARGE, thousands } from './section.ts';

const STYLE = 'large';
const STYLE_LINES = 1_000;
/** The console waits for a pause of this length before it checks a style. */
const CHECK_DELAY_MS = 300;
/** The console waits for a pause of this length before it filters a list. */
const FILTER_DELAY_MS = 200;

export async function benchConsole({ report, directory, scaled }: Bench): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) return report.skip('the console', 'Chromium is not installed');
  const dataDir = await directory();
  const count = scaled(LARGE);
  await seedLayers(dataDir, count);
  const server = await startServerChild(dataDir);
  await createLargeStyle(server);
  const bench = await ConsoleBench.open(executable, server);
  const add = (what: string, value: number, unit: string, most: number) =>
    report.add({
      what: `console: ${what}`,
      measured: `${value.toFixed(unit === 'MB' ? 1 : 0)} ${unit}`,
      baseline: '-',
      ratio: '-',
      aim: `at most ${most} ${unit}`,
      met: value <= most,
    });
  try {
    const layers = `${thousands(count)} layers`;
    const first = await bench.measureFirstView();
    add('requests from the sign-in page to the rows of the list', first.requests, 'requests', 8);
    add('scripts of them, compressed', first.scriptKilobytes, 'KB', 120);
    add(`first rows of ${layers}, cold cache`, first.rowsMs, 'ms', 1_000);
    add(`from the password to the first rows of ${layers}`, first.signInMs, 'ms', 1_000);
    add('click to drawn map, cold cache', await bench.measureMap(), 'ms', 1_000);
    add('click to ready editor, cold cache', await bench.measureEditor('point'), 'ms', 500);
    const row = Math.floor(count * 0.6);
    const list = await bench.measureList(row);
    add(`jump to row ${thousands(row)} of ${layers}`, list.jumpMs, 'ms', 200);
    add(`filter ${layers}, after the pause of ${FILTER_DELAY_MS} ms`, list.filterMs - FILTER_DELAY_MS, 'ms', 500);
    add(`heap of the page with ${layers}`, list.heapMegabytes, 'MB', 20);
    const checkMs = (await bench.measureCheck(STYLE)) - CHECK_DELAY_MS;
    add(`key to checked style of ${thousands(STYLE_LINES)} lines, after the pause`, checkMs, 'ms', 300);
  } finally {
    await bench.close();
    await server.stop();
  }
}

async function createLargeStyle({ restUrl }: ServerChild): Promise<void> {
  const rule =
    '<Rule>\n<PointSymbolizer><Graphic><Mark>\n<WellKnownName>circle</WellKnownName>\n</Mark></Graphic></PointSymbolizer>\n</Rule>';
  const rules = Array.from({ length: Math.round(STYLE_LINES / rule.split('\n').length) }, () => rule).join('\n');
  const type = `<FeatureTypeStyle>\n${rules}\n</FeatureTypeStyle>`;
  const layer = `<NamedLayer><Name>large</Name><UserStyle>\n${type}\n</UserStyle></NamedLayer>`;
  const reply = await fetch(`${restUrl}/styles?name=${STYLE}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/vnd.ogc.sld+xml' },
    body: `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">\n${layer}\n</StyledLayerDescriptor>`,
  });
  if (!reply.ok) throw new Error(`Creating a style answered ${reply.status}: ${await reply.text()}`);
}
