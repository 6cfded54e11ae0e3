/** Summarizes a message of a client for the log: its operation and the layers that it names. */
import type { ServiceOperation } from '../../http/session/service-reply.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Message } from './message.ts';
import type { Parameters } from './parameters.ts';

/** In lower case; the first one that is present is logged. */
const layerParameters = ['layers', 'layer', 'typenames', 'typename', 'coverageid', 'coverage', 'identifier'];

/** Of the parts of a document: queries, updates and deletions of features. */
const layerAttributes: ReadonlySet<string> = new Set(['typeNames', 'typeName']);

/** Long lists and senseless texts are cut off. */
const MAX_CHARACTERS = 200;

export function summarizeMessage(message: Message): ServiceOperation {
  return message.kind === 'pairs' ? summarizePairs(message.parameters) : summarizeDocument(message.root);
}

export function summarizePairs(parameters: Parameters): ServiceOperation {
  const layers = layerParameters.find((name) => parameters.has(name));
  const operation = parameters.get(OPERATION) ?? '';
  return {
    operation: cut(operation),
    knownOperation: findKnownOperation(operation),
    layers: layers === undefined ? '' : cut(parameters.get(layers) ?? ''),
  };
}

const OPERATION = 'request';

function summarizeDocument(root: XmlElement): ServiceOperation {
  const layers = root.children.flatMap((child) =>
    child.kind === 'text'
      ? []
      : child.attributes.filter(({ local }) => layerAttributes.has(local)).map(({ value }) => value),
  );
  return {
    operation: cut(root.local),
    knownOperation: findKnownOperation(root.local),
    layers: cut([...new Set(layers)].join(',')),
  };
}

/** The operations of WMS, WFS, WCS and WMTS. They are listed here because their parameters are loaded on first use. */
export const knownOperations = [
  'GetCapabilities',
  'GetMap',
  'GetFeatureInfo',
  'GetLegendGraphic',
  'DescribeLayer',
  'GetStyles',
  'DescribeFeatureType',
  'GetFeature',
  'GetPropertyValue',
  'ListStoredQueries',
  'DescribeStoredQueries',
  'CreateStoredQuery',
  'DropStoredQuery',
  'LockFeature',
  'GetFeatureWithLock',
  'Transaction',
  'DescribeCoverage',
  'GetCoverage',
  'GetTile',
] as const;

const operationsByKey: ReadonlyMap<string, string> = new Map(knownOperations.map((name) => [name.toLowerCase(), name]));

function findKnownOperation(written: string): string | undefined {
  return operationsByKey.get(written.trim().toLowerCase());
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
