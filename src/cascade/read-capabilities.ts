/** Parses the capabilities of a remote map server; runs in a worker thread, because some have megabytes. */
import { decodeText } from '../lib/files/decode-text.ts';
import { Problem } from '../lib/problems/problem.ts';
import { excerpt } from '../lib/text/excerpt.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import { readXml } from '../lib/xml/reader.ts';
import type { Task } from '../workers/task.ts';
import type { Capabilities, CascadedService } from './capabilities.ts';
import { readWmsCapabilities } from './read-wms.ts';
import { readWmtsCapabilities } from './read-wmts.ts';
import { readText } from './xml-elements.ts';

export interface CapabilitiesInput {
  readonly service: CascadedService;
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  /** The layer to return completely. */
  readonly layer: string | null;
}

/** The capabilities, or the reason why the document is invalid, as a sentence fragment. */
export type CapabilitiesOutcome<C = Capabilities> = { readonly capabilities: C } | { readonly objection: string };

/** All names in one string: transferring it between threads is fast, unlike hundreds of thousands of strings. */
type PackedCapabilities = Omit<Capabilities, 'names'> & { readonly names: string };

/** Invalid in XML, and therefore in names. */
const SEPARATOR = '\0';

/** Ten times the size of a server with ten thousand layers in fifty CRSs each. */
const limits = { maxDepth: 100, maxNodes: 5_000_000 };

const roots: Readonly<Record<CascadedService, readonly string[]>> = {
  WMS: ['WMS_Capabilities', 'WMT_MS_Capabilities'],
  WMTS: ['Capabilities'],
};

export const readCapabilitiesTask: Task<CapabilitiesInput, CapabilitiesOutcome<PackedCapabilities>> = {
  module: import.meta.url,
  name: 'readPackedCapabilities',
  work: readPackedCapabilities,
};

export async function readPackedCapabilities(
  sent: CapabilitiesInput,
): Promise<CapabilitiesOutcome<PackedCapabilities>> {
  const outcome = await readCapabilities(sent);
  if ('objection' in outcome) return outcome;
  const { names, layer } = outcome.capabilities;
  return { capabilities: { names: names.join(SEPARATOR), layer } };
}

export function unpackCapabilities(outcome: CapabilitiesOutcome<PackedCapabilities>): CapabilitiesOutcome {
  if ('objection' in outcome) return outcome;
  const { names, layer } = outcome.capabilities;
  return { capabilities: { names: names === '' ? [] : names.split(SEPARATOR), layer } };
}

export async function readCapabilities({
  service,
  bytes,
  charset,
  layer,
}: CapabilitiesInput): Promise<CapabilitiesOutcome> {
  try {
    // A copy, because TextDecoder does not accept shared memory.
    const root = readXml(removeDoctype(decodeText(Uint8Array.from(bytes), charset, true)), limits);
    if (!roots[service].includes(root.local)) return { objection: formatUnexpectedDocument(root, service) };
    const capabilities = service === 'WMS' ? await readWmsCapabilities(root, layer) : readWmtsCapabilities(root, layer);
    return { capabilities };
  } catch (error) {
    if (error instanceof Problem) return { objection: `the response is invalid: ${error.message.replace(/\.$/, '')}` };
    throw error;
  }
}

/** Servers report errors as documents of another type. */
function formatUnexpectedDocument(root: XmlElement, service: CascadedService): string {
  const isReport = /Exception/.test(root.local);
  const message = isReport ? excerpt(collectText(root)) : '';
  return isReport
    ? `the server returned an error: ${message === '' ? 'no message' : message}`
    : `the response is a '${excerpt(root.name)}' document; expected the capabilities of a ${service}`;
}

function collectText(element: XmlElement): string {
  const inner = element.children.map((child) => (child.kind === 'text' ? '' : collectText(child)));
  return [readText(element) ?? '', ...inner].filter((text) => text !== '').join(' ');
}

/** Removes the document type of WMS 1.1.1 capabilities without reading it; entities that it defines are unknown. */
export function removeDoctype(text: string): string {
  const start = text.search(/<!DOCTYPE|<[^!?]/);
  if (!text.startsWith('<!DOCTYPE', start)) return text;
  let quote = '';
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '[' || character === ']') {
      depth += character === '[' ? 1 : -1;
    } else if (character === '>' && depth <= 0) {
      return text.slice(0, start) + text.slice(at + 1);
    }
  }
  return text;
}
