import { expect, it } from 'vitest';
import { readMessage } from './message.ts';
import { summarizeMessage } from './message-summary.ts';

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

  expect(summarizeMessage(message)).toEqual({ operation, layers });
});

it('the summary of a message cuts off long lists', async () => {
  const message = await readMessage(`request=GetMap&layers=${'a,'.repeat(500)}`, undefined, limits);

  expect(summarizeMessage(message).layers).toHaveLength(201);
});
