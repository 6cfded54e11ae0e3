/** The formats of responses, with their media types and path extensions. */

export type Format = 'xml' | 'json' | 'html';

export interface FormatInfo {
  readonly format: Format;
  readonly extension: string;
  /** Media types of this format for requests and responses; the first one is the default of responses. */
  readonly mediaTypes: readonly string[];
}

export const formats: Readonly<Record<Format, FormatInfo>> = {
  xml: { format: 'xml', extension: 'xml', mediaTypes: ['application/xml', 'text/xml'] },
  json: { format: 'json', extension: 'json', mediaTypes: ['application/json', 'text/json'] },
  html: { format: 'html', extension: 'html', mediaTypes: ['text/html'] },
};
