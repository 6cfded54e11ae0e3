/** Requests to the server of a cascaded store other than capabilities: maps, features and legends. */
import type { RemoteLayer } from '../../cascade/capabilities.ts';
import { redactReason } from '../../cascade/confidential.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { RasterSize } from '../../raster/port/port.ts';
import { type UnpackedColors, unpackColors } from '../../raster/support/picture-library.ts';

/** Query parameters for the capabilities URL, or a complete URL. */
export type RemoteQuery = Readonly<Record<string, string>> | string;

export interface RemoteResponse {
  readonly bytes: Uint8Array;
  /** In lower case and without parameters; empty if the server sends none. */
  readonly mediaType: string;
  /** Whether the response says that nothing exists there. */
  readonly isEmpty: boolean;
  /** Secrets that must not appear in error messages. */
  readonly secrets: readonly string[];
}

/** The query parameters that the server sets itself. */
const reservedParameterNames: ReadonlySet<string> = new Set([
  'service',
  'request',
  'version',
  'wmtver',
  'acceptversions',
  'updatesequence',
]);

/** Builds a request URL from the capabilities URL, keeping its other query parameters. */
export function buildRequestUrl(capabilitiesURL: string, pairs: Readonly<Record<string, string>>): string {
  const [address = '', query = ''] = capabilitiesURL.split(/\?(.*)/s);
  const kept = [...new URLSearchParams(query)].filter(([name]) => !reservedParameterNames.has(name.toLowerCase()));
  const said = new Set(Object.keys(pairs).map((name) => name.toLowerCase()));
  const parameters = [...kept.filter(([name]) => !said.has(name.toLowerCase())), ...Object.entries(pairs)];
  return `${address}?${new URLSearchParams(parameters.map(([name = '', value = '']): [string, string] => [name, value]))}`;
}

/** Decodes the pixels of a response; throws a problem for anything but an image of the expected size. */
export async function decodeRemotePixels(
  layer: string,
  answer: RemoteResponse,
  size?: RasterSize,
): Promise<UnpackedColors> {
  if (!answer.mediaType.startsWith('image/')) throw createRemoteMapProblem(layer, answer);
  try {
    return await unpackColors(answer.bytes, size === undefined ? MAX_LEGEND_PIXELS : size.width * size.height);
  } catch {
    throw problem('remote-map-failed', { layer, reason: 'it returned an unreadable image' });
  }
}

/** Legends have no predetermined size, so it is limited. */
const MAX_LEGEND_PIXELS = 4_000_000;

/** Creates the problem for an error response of the remote server, with its message if it has one. */
export function createRemoteMapProblem(
  layer: string,
  { bytes, mediaType, secrets }: RemoteResponse,
  expected = 'an image',
) {
  const text = Buffer.from(bytes.subarray(0, 4_096)).toString();
  const [, said = ''] = /<(?:\w+:)?(?:ServiceException|ExceptionText)\b[^>]*>([^<]*)</.exec(text) ?? [];
  const words = said.replaceAll(/\s+/g, ' ').trim();
  const reason =
    words === '' ? `it returned '${excerpt(mediaType)}' instead of ${expected}` : `it reports '${excerpt(words)}'`;
  return problem('remote-map-failed', { layer, reason: redactReason(reason, bytes, secrets) });
}

/** A supported CRS and its name on the remote server. */
export interface RemoteCrs {
  readonly name: string;
  readonly code: string;
}

/** In the order of the server; its CRS names are those of version 1.1.1, where x always comes first. */
export function listRemoteCrs(
  { systems }: RemoteLayer,
  parse: (name: string) => string | undefined,
): readonly RemoteCrs[] {
  return systems.flatMap((name) => {
    const code = /^EPSG:\d+$/i.test(name) ? parse(name) : undefined;
    return code === undefined ? [] : [{ name, code }];
  });
}
