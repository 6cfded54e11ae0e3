/** The habits on the wire that differ from dialect to dialect, as far as the door is concerned. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { Format } from '../serialization/format.ts';

/** Families that share a default format (for a client that does not say what it wants). */
export type FormatGroup =
  | 'catalog'
  | 'featureTypes'
  | 'granules'
  | 'accounts'
  | 'contents'
  | 'about'
  | 'systemStatus'
  | 'securitySettings'
  | 'dataDirectory';

export interface WireDialect {
  readonly defaultFormat: Readonly<Record<FormatGroup, Format>>;
  /** JSON of an empty list: an array that stays an array, or the empty string. */
  readonly emptyJsonList: 'array' | 'empty string';
  /** JSON of a nested list with one item (a top-level listing is always an array). */
  readonly singleJsonItem: 'array' | 'bare item';
  /** The `type` of the links in an XML listing. */
  readonly listingLinkType: 'application/xml' | 'application/atom+xml';
  /** Error bodies: in the format the client speaks, or always plain text. */
  readonly errorBodies: 'negotiated' | 'plain text';
  /** Statuses that differ from the catalogue's. */
  readonly statuses: Readonly<Partial<Record<ProblemCode, number>>>;
}
