/** What to tell of names that are good names, and yet cannot be asked for everywhere. */
import { excerpt } from '../../lib/excerpt.ts';

/** WMS, WFS and WMS-C have lists of names with commas between them, and no way to say that one is part of a name. */
export function nameWarnings(name: string | null | undefined): readonly string[] {
  return name?.includes(',')
    ? [
        `The name '${excerpt(name)}' has a comma in it, which in requests of WMS and WFS stands between two names: clients cannot ask for it there.`,
      ]
    : [];
}
