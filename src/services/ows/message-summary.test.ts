import { expect, it } from 'vitest';
import { describedServices } from '../described-services.ts';
import { readMessage } from './message.ts';
import { knownOperations, summarizeMessage } from './message-summary.ts';

const limits = { maxDepth: 20, maxNodes: 1_000 };

it.each([
  ['a map', 'service=WMS&REQUEST=GetMap&LAYERS=topo:west,topo:east', '', 'GetMap', 'topo:west,topo:east'],
  ['features', 'request=GetFeature&typeNames=topo:west', '', 'GetFeature', 'topo:west'],
  ['a coverage', 'request=GetCoverage&coverageId=topo__dem', '', 'GetCoverage', 'topo__dem'],
  ['nothing', '', '', '', ''],
  [
    'a document with several queries',
    '',
    '<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs/2.0"><wfs:Query typeNames="topo:west"/><wfs:Query typeNames="topo:east"/></wfs:GetFeature>',
    'GetFeature',
    'topo:west,topo:east',
  ],
])('the summary of a message names the operation and its layers: %s', async (_, query, text, operation, layers) => {
  const message = await readMessage(query, { mediaType: 'text/xml', text }, limits);

  expect(summarizeMessage(message)).toMatchObject({ operation, layers });
});

it.each([
  ['request=getMAP', 'GetMap'],
  ['request=MadeUp', undefined],
  ['', undefined],
])('metrics name only operations of the standards: %s', async (query, operation) => {
  const message = await readMessage(query, { mediaType: undefined, text: '' }, limits);

  expect(summarizeMessage(message).knownOperation).toBe(operation);
});

it('the operations of all services are known', () => {
  const declared = describedServices
    .filter(({ name }) => ['WMS', 'WFS', 'WCS', 'WMTS'].includes(name))
    .flatMap(({ operations }) => operations.map(({ name }) => name))
    .filter((name) => /^(Get|Describe|List|Transaction|Lock)/.test(name));

  expect(declared.length).toBeGreaterThan(15);
  for (const name of declared) expect(knownOperations).toContain(name);
});

it('the summary of a message cuts off long lists', async () => {
  const message = await readMessage(`request=GetMap&layers=${'a,'.repeat(500)}`, undefined, limits);

  expect(summarizeMessage(message).layers).toHaveLength(201);
});
