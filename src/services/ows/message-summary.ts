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
  return {
    operation: cut(parameters.get(OPERATION) ?? ''),
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
  return { operation: cut(root.local), layers: cut([...new Set(layers)].join(',')) };
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
