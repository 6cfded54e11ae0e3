/** Metadata of a layer or layer group for map clients: attribution and authorities. */
import type { DataAttribution } from '../../lib/tile-archive/data-attribution.ts';

/** The attribution of a layer; a logo of size 0 has an unknown size. */
export interface Attribution {
  readonly title: string | null;
  readonly href: string | null;
  readonly logoURL: string | null;
  readonly logoWidth: number;
  readonly logoHeight: number;
  readonly logoType: string | null;
}

/** Returns undefined if the data states none. */
export function toLayerAttribution(stated: DataAttribution | undefined): Attribution | undefined {
  if (stated === undefined) return undefined;
  const { text: title, href = null } = stated;
  return { title, href, logoURL: null, logoWidth: 0, logoHeight: 0, logoType: null };
}

/** An authority that assigns identifiers to layers, with its URL. */
export interface AuthorityUrl {
  readonly name: string;
  readonly href: string;
}

export interface LayerIdentifier {
  readonly authority: string;
  readonly identifier: string;
}
