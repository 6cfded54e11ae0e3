/**
 * Keyset pagination: a page starts after the last name of the previous one, so that concurrent changes do not shift it.
 */
import { compareCodePoints } from './code-point-order.ts';

export interface Page {
  /** The maximum number of items; all if undefined. */
  readonly limit?: number;
  /** Only items whose names sort after this one, in code-point order. */
  readonly after?: string;
}

/** Returns whether the page is the whole listing, in its usual order. */
export function isWhole({ limit, after }: Page): boolean {
  return limit === undefined && after === undefined;
}

/** Selects a page of a list in memory. */
export function selectPage<T>(items: readonly T[], nameOf: (item: T) => string, page: Page): readonly T[] {
  if (isWhole(page)) {
    return items;
  }
  const { after, limit } = page;
  const rest = after === undefined ? items : items.filter((item) => compareCodePoints(nameOf(item), after) > 0);
  return rest.toSorted((one, other) => compareCodePoints(nameOf(one), nameOf(other))).slice(0, limit);
}

/** The number of items per further read. */
const PIECE = 500;

/** Reads a page of the items that `keeps` accepts, and no more of the listing than that requires. */
export async function readFilteredPage<T>(
  page: Page,
  read: (page: Page) => Promise<readonly T[]>,
  nameOf: (item: T) => string,
  keeps: (item: T) => boolean,
): Promise<readonly T[]> {
  const { limit } = page;
  if (limit === undefined) {
    return (await read(page)).filter(keeps);
  }
  const accepted: T[] = [];
  let next: Page & { readonly limit: number } = { ...page, limit };
  for (;;) {
    const piece = await read(next);
    accepted.push(...piece.filter(keeps));
    const last = piece.at(-1);
    if (accepted.length >= limit || last === undefined || piece.length < next.limit) {
      return accepted.slice(0, limit);
    }
    next = { after: nameOf(last), limit: PIECE };
  }
}
