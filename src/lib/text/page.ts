/** A part of a listing: a page is found by the last name of the one before, so that nothing made or deleted moves it. */
import { compareCodePoints } from './code-point-order.ts';

export interface Page {
  /** At most so many, the first ones; all if undefined. */
  readonly limit?: number;
  /** Only what has a name that sorts after this one, in code-point order. */
  readonly after?: string;
}

/** Whether all is asked for, in whatever order it usually has. */
export function isWhole({ limit, after }: Page): boolean {
  return limit === undefined && after === undefined;
}

/** A page of what is known as a whole. */
export function selectPage<T>(items: readonly T[], nameOf: (item: T) => string, page: Page): readonly T[] {
  if (isWhole(page)) {
    return items;
  }
  const { after, limit } = page;
  const rest = after === undefined ? items : items.filter((item) => compareCodePoints(nameOf(item), after) > 0);
  return rest.toSorted((one, other) => compareCodePoints(nameOf(one), nameOf(other))).slice(0, limit);
}

/** How many are read at once to find the next that is kept. */
const PIECE = 500;

/** A page of what is kept of a listing, of which no more is read than that takes. */
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
  const kept: T[] = [];
  let next: Page & { readonly limit: number } = { ...page, limit };
  for (;;) {
    const piece = await read(next);
    kept.push(...piece.filter(keeps));
    const last = piece.at(-1);
    if (kept.length >= limit || last === undefined || piece.length < next.limit) {
      return kept.slice(0, limit);
    }
    next = { after: nameOf(last), limit: PIECE };
  }
}
