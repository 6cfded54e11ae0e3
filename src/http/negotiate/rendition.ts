/** Renditions: representations of a resource as a file, selected by an extension or a media type. */
import { type Format, formats } from '../serialization/format.ts';
import { type Offer, parseAccept } from './negotiation.ts';

export interface Rendition {
  /** Unique in its route; part of the ETag. */
  readonly name: string;
  /** The path extension; undefined if only Accept selects it. */
  readonly extension?: string;
  /** The media types in Accept; empty if only an extension selects it. */
  readonly mediaTypes: readonly string[];
  /** The version of the media types, which Accept can name with `version=`. */
  readonly version?: string;
  /** Whether an unlisted media type selects it as well. */
  readonly isNamedBy?: (mediaType: string) => boolean;
}

/** Returns all offers: the documents first, then each rendition with each of its media types. */
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

/** Returns the format in the `format` parameter, for routes whose paths keep their extensions. */
export function findQueryFormat(rawQuery: string): Format | undefined {
  return findDocumentFormat(new URLSearchParams(rawQuery).get('format')?.toLowerCase());
}

/** Returns the document format of a name; undefined for renditions and unknown names. */
export function findDocumentFormat(name: string | undefined): Format | undefined {
  return name !== undefined && Object.hasOwn(formats, name) ? (name as Format) : undefined;
}
