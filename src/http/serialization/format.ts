/** The formats replies come in, and the media types and path extensions that name them. */

export type Format = 'xml' | 'json' | 'html';

export interface FormatInfo {
  readonly format: Format;
  readonly extension: string;
  /** Media types that mean this format, in both directions; the first one is what we answer with unless asked for another. */
  readonly mediaTypes: readonly string[];
}

export const formats: Readonly<Record<Format, FormatInfo>> = {
  xml: { format: 'xml', extension: 'xml', mediaTypes: ['application/xml', 'text/xml'] },
  json: { format: 'json', extension: 'json', mediaTypes: ['application/json', 'text/json'] },
  html: { format: 'html', extension: 'html', mediaTypes: ['text/html'] },
};

/** The Content-Type header of a reply: text/* types say their charset, since their default is not UTF-8 everywhere. */
export function formatContentType(mediaType: string): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}
