/** Another WFS behind the vector port: its types, their schemas and their features, asked for over HTTP. */
import { decodeText } from '../../../lib/decode-text.ts';
import { excerpt } from '../../../lib/excerpt.ts';
import { Problem, problem } from '../../../lib/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { readXml } from '../../../lib/xml/reader.ts';
import { childNamed, textOf } from '../../cascade/xml-parts.ts';
import type { Bounds } from '../../crs/bounds.ts';
import { resolveCrs } from '../../crs/resolve-crs.ts';
import { createTransformer } from '../../crs/transformer.ts';
import type { Attribute, Feature, FeatureTypeDescription, VectorSource } from '../port.ts';
import { attributesOfType } from './attributes.ts';
import { type RemoteType, readWfsCapabilities, type WfsCapabilities } from './capabilities.ts';
import { readFeatures } from './features.ts';

/** The body of an answer, and the charset that its header names. */
export type AskServer = (
  url: string,
  signal: AbortSignal,
) => Promise<{ readonly bytes: Uint8Array; readonly charset?: string }>;

export interface WfsOptions {
  readonly capabilitiesUrl: string;
  readonly ask: AskServer;
  /** More are never asked for; 0 for no such limit. */
  readonly maxFeatures: number;
}

const limits = { maxDepth: 100, maxNodes: 5_000_000 };

/** Asked for at a time, where the other server can go on from there. */
const PAGE_FEATURES = 1_000;

export function openWfs({ capabilitiesUrl, ask, maxFeatures }: WfsOptions): VectorSource {
  async function read(url: string, signal: AbortSignal): Promise<string> {
    const { bytes, charset } = await ask(url, signal);
    return decodeText(bytes, charset, true);
  }

  async function readDocument(url: string, signal: AbortSignal): Promise<XmlElement> {
    const text = await read(url, signal);
    return telling(() => readXml(text, limits));
  }

  async function capabilities(signal: AbortSignal): Promise<WfsCapabilities> {
    const root = await readDocument(questionFor(capabilitiesUrl, { REQUEST: 'GetCapabilities' }), signal);
    const found = readWfsCapabilities(root);
    if (found === undefined) throw unreachable(otherDocument(root, 'the capabilities of a WFS'));
    return found;
  }

  async function typeNamed(
    name: string,
    signal: AbortSignal,
  ): Promise<{ type: RemoteType; version: string } | undefined> {
    const { types, version } = await capabilities(signal);
    const type = types.find((each) => ownName(each.name) === name) ?? types.find((each) => each.name === name);
    return type && { type, version };
  }

  async function attributesOf(type: RemoteType, version: string, signal: AbortSignal): Promise<readonly Attribute[]> {
    const url = questionFor(capabilitiesUrl, {
      VERSION: version,
      REQUEST: 'DescribeFeatureType',
      ...named(type, version),
    });
    const schema = await readDocument(url, signal);
    const code = type.system === null ? undefined : (await resolveCrs({ code: type.system }))?.code;
    const attributes = attributesOfType(schema, localName(type.name), code === undefined ? {} : { code });
    if (attributes === undefined) throw unreachable(otherDocument(schema, `the schema of '${excerpt(type.name)}'`));
    return attributes;
  }

  async function* pages(
    { type, version }: { readonly type: RemoteType; readonly version: string },
    limit: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Feature[]> {
    const attributes = await attributesOf(type, version, signal);
    const canGoOn = version.startsWith('2');
    let given = 0;
    while (given < limit) {
      const wanted = Math.min(limit - given, canGoOn ? PAGE_FEATURES : limit);
      const url = questionFor(capabilitiesUrl, {
        VERSION: version,
        REQUEST: 'GetFeature',
        ...named(type, version),
        ...(Number.isFinite(wanted) ? { [canGoOn ? 'COUNT' : 'MAXFEATURES']: String(wanted) } : {}),
        ...(canGoOn ? { STARTINDEX: String(given) } : {}),
      });
      const text = await read(url, signal);
      const { features, root } = await telling(() => readFeatures(text, localName(type.name), attributes));
      if (!/FeatureCollection$/.test(root.local)) throw unreachable(otherDocument(root, 'a collection of features'));
      const page = features.slice(0, wanted);
      if (page.length > 0) yield page;
      given += page.length;
      if (!canGoOn || page.length < wanted) return;
    }
  }

  return {
    async listTypes(signal) {
      const { types } = await capabilities(signal);
      const names = [...new Set(types.map(({ name }) => ownName(name)))].sort();
      return names.map((name) => ({ name, hasGeometry: true }));
    },
    async describe(name, signal) {
      const found = await typeNamed(name, signal);
      if (found === undefined) return undefined;
      const attributes = await attributesOf(found.type, found.version, signal);
      return description(name, found.type, attributes);
    },
    async *read(name, query, signal) {
      const found = await typeNamed(name, signal);
      if (found === undefined) throw problem('vector-type-unknown', { name });
      const most = maxFeatures === 0 ? Number.POSITIVE_INFINITY : maxFeatures;
      yield* pages(found, Math.min(query.limit ?? Number.POSITIVE_INFINITY, most), signal);
    },
    // Nothing is kept between two questions.
    close: async () => undefined,
  };
}

/** Where the question goes: to the address of the capabilities, with what that says beside its question. */
export function questionFor(capabilitiesUrl: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', query = ''] = capabilitiesUrl.split(/\?(.*)/s);
  const own = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=');
    const isOurs = ['service', 'request', 'typename', 'typenames'].includes(name.toLowerCase());
    return name !== '' && !isOurs && (parameters['VERSION'] === undefined || name.toLowerCase() !== 'version');
  });
  const asked = Object.entries({ SERVICE: 'WFS', ...parameters }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${address}?${[...own, ...asked].join('&')}`;
}

/** Version 2.0.0 has another name for it; a prefix has to be declared where it is known what it stands for. */
function named({ name, namespace }: RemoteType, version: string): Readonly<Record<string, string>> {
  const isNewer = version.startsWith('2');
  const prefix = name.slice(0, Math.max(0, name.indexOf(':')));
  const declaration = isNewer ? `xmlns(${prefix},${namespace})` : `xmlns(${prefix}=${namespace})`;
  return {
    [isNewer ? 'TYPENAMES' : 'TYPENAME']: name,
    ...(prefix === '' || namespace === undefined ? {} : { [isNewer ? 'NAMESPACES' : 'NAMESPACE']: declaration }),
  };
}

/** What a type is called here: a colon stands between workspace and layer, so that there is another character for it. */
function ownName(name: string): string {
  return name.replace(':', '_');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

async function description(
  name: string,
  type: RemoteType,
  attributes: readonly Attribute[],
): Promise<FeatureTypeDescription> {
  const geometry = attributes.find(({ kind }) => kind === 'geometry');
  const bounds =
    geometry?.kind === 'geometry' && type.latLonBounds !== null
      ? await boundsIn(geometry.crs, type.latLonBounds)
      : undefined;
  return {
    name,
    attributes,
    ...(geometry === undefined ? {} : { defaultGeometry: geometry.name }),
    ...(bounds === undefined ? {} : { bounds }),
  };
}

/** The other server tells it in degrees; corners and the middles of edges tell where that is in the system of the data. */
async function boundsIn(crs: { readonly code?: string }, latLon: Bounds): Promise<Bounds | undefined> {
  const definition = crs.code === undefined ? undefined : await resolveCrs({ code: crs.code });
  if (definition?.code === 'EPSG:4326') return latLon;
  const transformer = definition?.model === undefined ? undefined : await createTransformer(definition.model);
  if (transformer === undefined) return undefined;
  const { minX, minY, maxX, maxY } = latLon;
  const xs = [minX, (minX + maxX) / 2, maxX];
  const ys = [minY, (minY + maxY) / 2, maxY];
  const places = xs
    .flatMap((x) => ys.flatMap((y) => [transformer.fromLongitudeLatitude([x, y]) ?? []]))
    .filter((place) => place.length === 2);
  if (places.length === 0) return undefined;
  const east = places.map(([x = 0]) => x);
  const north = places.map(([, y = 0]) => y);
  return { minX: Math.min(...east), minY: Math.min(...north), maxX: Math.max(...east), maxY: Math.max(...north) };
}

async function telling<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Problem
      ? unreachable(`its answer cannot be read: ${error.message.replace(/\.$/, '')}`)
      : error;
  }
}

function unreachable(reason: string): Problem {
  return problem('store-unreachable', { name: '', reason });
}

/** Servers tell their errors in documents of their own. */
function otherDocument(root: XmlElement, expected: string): string {
  if (!/Exception/.test(root.local)) return `its answer is a '${excerpt(root.name)}', and not ${expected}`;
  const inner = childNamed(root, 'Exception') ?? childNamed(root, 'ServiceException') ?? root;
  return `it answered with an error: ${excerpt(textOf(childNamed(inner, 'ExceptionText')) ?? textOf(inner) ?? 'it does not say which')}`;
}
