/** The result type of the readers of all languages. */
import type { Constant, Filter } from './filter.ts';

/** The filter with the source positions of its parts, or the first error. */
export type FilterReadOutcome =
  | {
      readonly kind: 'read';
      readonly filter: Filter | Constant;
      /** A readable position such as `line 1, column 7`; undefined for parts without one. */
      readonly whereOf: (part: object) => string | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly where: string;
      /** Starts in lower case, without a full stop. */
      readonly message: string;
    };
