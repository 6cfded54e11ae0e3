/** Ways in which a resource can be had beside its documents: as a file of its own, named by an extension or a media type. */
import { type Format, formats } from '../serialization/format.ts';
import { type Offer, parseAccept } from './negotiation.ts';

export interface Rendition {
  /** Unique in its route; a part of the ETag. */
  readonly name: string;
  /** What ends a path that asks for it; absent for those that only Accept can name. */
  readonly extension?: string;
  /** What names it in Accept; empty for those that only an extension can name. */
  readonly mediaTypes: readonly string[];
  /** Which version of its media types it is, for those that Accept may name with `version=`. */
  readonly version?: string;
  /** Whether a media type that is not listed means it as well. */
  readonly isNamedBy?: (mediaType: string) => boolean;
}

/** What a client can choose from: the documents first, then each rendition by each of its names. */
export function addRenditionOffers(
  documents: readonly Offer<Format>[],
  renditions: readonly Rendition[],
  accept: string | undefined,
): readonly Offer[] {
  if (renditions.length === 0) {
    return documents;
  }
  const named = parseAccept(accept ?? '').map(({ type, subtype }) => `${type}/${subtype}`);
  const offers = renditions.flatMap(({ name, mediaTypes, version, isNamedBy }) => {
    const further = named.filter((mediaType) => !mediaTypes.includes(mediaType) && isNamedBy?.(mediaType));
    return [...mediaTypes, ...further].map((mediaType) => ({
      format: name,
      mediaType,
      ...(version === undefined ? {} : { version }),
    }));
  });
  return [...documents, ...offers];
}

/** The format that `format` in the query names, for routes whose paths keep their extensions. */
export function findQueryFormat(rawQuery: string): Format | undefined {
  return findDocumentFormat(new URLSearchParams(rawQuery).get('format')?.toLowerCase());
}

/** The document format that a name means; undefined for a rendition or nothing. */
export function findDocumentFormat(name: string | undefined): Format | undefined {
  return name !== undefined && Object.hasOwn(formats, name) ? (name as Format) : undefined;
}
