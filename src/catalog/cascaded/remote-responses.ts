/** Questions to the server of a cascaded store beyond its capabilities: for maps, for features, for legends. */
import type { RemoteLayer } from '../../cascade/capabilities.ts';
import { redactReason } from '../../cascade/confidential.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import { type UnpackedColors, unpackColors } from '../../raster/support/picture-library.ts';

/** Pairs for the address of the capabilities, or a whole address. */
export type RemoteQuery = Readonly<Record<string, string>> | string;

export interface RemoteResponse {
  readonly bytes: Uint8Array;
  /** In lower case and without parameters; empty where the server says nothing. */
  readonly mediaType: string;
  /** Whether it says that nothing is there. */
  readonly isEmpty: boolean;
  /** What must not come back out. */
  readonly secrets: readonly string[];
}

/** What is said of a question in its address; these are the server's own to say. */
const reservedParameterNames: ReadonlySet<string> = new Set([
  'service',
  'request',
  'version',
  'wmtver',
  'acceptversions',
  'updatesequence',
]);

/** At the address of the capabilities, with whatever else that asks for. */
export function buildRequestUrl(capabilitiesURL: string, pairs: Readonly<Record<string, string>>): string {
  const [address = '', query = ''] = capabilitiesURL.split(/\?(.*)/s);
  const kept = [...new URLSearchParams(query)].filter(([name]) => !reservedParameterNames.has(name.toLowerCase()));
  const said = new Set(Object.keys(pairs).map((name) => name.toLowerCase()));
  const parameters = [...kept.filter(([name]) => !said.has(name.toLowerCase())), ...Object.entries(pairs)];
  return `${address}?${new URLSearchParams(parameters.map(([name = '', value = '']): [string, string] => [name, value]))}`;
}

/** The pixels of an answer; a Problem for what is no picture, or one of another size. */
export async function decodeRemotePixels(
  layer: string,
  answer: RemoteResponse,
  size?: RasterSize,
): Promise<UnpackedColors> {
  if (!answer.mediaType.startsWith('image/')) throw createRemoteMapProblem(layer, answer);
  try {
    return await unpackColors(answer.bytes, size === undefined ? MAX_LEGEND_PIXELS : size.width * size.height);
  } catch {
    throw problem('remote-map-failed', { layer, reason: 'it answered with a picture that cannot be read' });
  }
}

/** Legends are as large as they are. */
const MAX_LEGEND_PIXELS = 4_000_000;

/** What the other server says is wrong, in its own words where it has some. */
export function createRemoteMapProblem(layer: string, { bytes, mediaType, secrets }: RemoteResponse) {
  const text = Buffer.from(bytes.subarray(0, 4_096)).toString();
  const [, said = ''] = /<(?:\w+:)?(?:ServiceException|ExceptionText)\b[^>]*>([^<]*)</.exec(text) ?? [];
  const words = said.replaceAll(/\s+/g, ' ').trim();
  const reason =
    words === '' ? `it answered with '${excerpt(mediaType)}' and no picture` : `it says '${excerpt(words)}'`;
  return problem('remote-map-failed', { layer, reason: redactReason(reason, bytes, secrets) });
}

/** A system that the other server has, by the name that it has for it. */
export interface RemoteCrs {
  readonly name: string;
  readonly code: string;
}

/** In the order of the server; its names of systems are those of version 1.1.1, in which x always comes first. */
export function listRemoteCrs(
  { systems }: RemoteLayer,
  parse: (name: string) => string | undefined,
): readonly RemoteCrs[] {
  return systems.flatMap((name) => {
    const code = /^EPSG:\d+$/i.test(name) ? parse(name) : undefined;
    return code === undefined ? [] : [{ name, code }];
  });
}
