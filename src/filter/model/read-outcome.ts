/** What the readers of all languages give. */
import type { Constant, Filter } from './filter.ts';

/** What was read and where the parts of it were written, or the first thing that is wrong. */
export type FilterReadOutcome =
  | {
      readonly kind: 'read';
      readonly filter: Filter | Constant;
      /** For people, such as `line 1, column 7`; undefined for what has no place of its own. */
      readonly whereOf: (part: object) => string | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly where: string;
      /** Begins in lower case and has no full stop. */
      readonly message: string;
    };
