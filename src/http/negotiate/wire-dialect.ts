/** Wire formats that differ between dialects. */
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import type { FormatGroup } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';

export interface WireDialect {
  readonly defaultFormat: Readonly<Record<FormatGroup, Format>>;
  /** JSON of an empty list: an array or the empty string. */
  readonly emptyJsonList: 'array' | 'empty string';
  /** JSON of a nested list with one item; top-level lists are always arrays. */
  readonly singleJsonItem: 'array' | 'bare item';
  /** The `type` of links in XML lists. */
  readonly listingLinkType: 'application/xml' | 'application/atom+xml';
  /** Error bodies: in a negotiated format, or always plain text. */
  readonly errorBodies: 'negotiated' | 'plain text';
  /** Statuses that differ from the problem catalogue. */
  readonly statuses: Readonly<Partial<Record<ProblemCode, number>>>;
}
