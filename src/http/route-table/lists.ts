/** Route table rows that list resources, completely or in pages. */
import type { Page } from '../../lib/text/page.ts';
import type { Entries, ListWriter } from '../documents/listing.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import { type PageQuery, pagingParameters, readPage } from '../routes/paging.ts';
import type { Call, PathParameters } from '../routes/route.ts';
import { createCommonFields, type Row, type RowOptions } from './row.ts';

/** The result of a list handler. */
export interface ListResult<R, D> {
  readonly entries: readonly R[];
  /** Builds the resource from the entries; by default the entries are the resource. */
  readonly as?: (entries: Entries<R>) => D;
  /** Reads more about the entries of the page. */
  readonly complete?: (entries: readonly R[]) => Promise<readonly R[]>;
  /** Whether the entries are not resources, so that they have no links. */
  readonly isUnlinked?: boolean;
  readonly warnings?: readonly string[];
}

export function createListRows<S>() {
  return {
    /**
     * A list. The handler reads the requested page: all entries in their usual order, or at most `limit` entries after
     * a name, in code-point order.
     */
    list<P extends string, R, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly returns: ListWriter<R, D> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>, page: Page) => Promise<ListResult<R, D>>,
    ): Row<S> {
      const { returns } = options;
      const query = { ...options.query, ...pagingParameters };
      return {
        ...createCommonFields('GET', path, summary, { ...options, query }),
        kind: 'collection',
        access: 'snapshot',
        returns,
        handle: async (call) => {
          const pageQuery = call.query as PageQuery;
          const scope = JSON.stringify([path, call.params]);
          const { listed, next, headers } = await readPage(pageQuery, {
            scope,
            getName: returns.getName,
            getSearchText: returns.getSearchText ?? returns.getName,
            read: (page) => handler(call as never, page),
          });
          const { as, complete, isUnlinked = false, warnings } = listed;
          const entries = complete === undefined ? listed.entries : await complete(listed.entries);
          const isPage = pageQuery.limit !== null && returns.linksEntries === true && !isUnlinked;
          const twins = isPage ? await listFormatTwins(entries.map(returns.getName), call) : [];
          const shown: Entries<R> = twins.length === 0 ? entries : { items: entries, namesLikeFormats: twins };
          return {
            kind: 'found',
            resource: as === undefined ? shown : as(shown),
            headers,
            ...(next === undefined ? {} : { next }),
            ...(warnings === undefined ? {} : { warnings }),
          };
        },
      };
    },
  };
}

/**
 * Returns existing names that equal a listed name plus the extension of the response: they change its link, even from
 * another page.
 */
async function listFormatTwins<S>(
  names: readonly string[],
  { format, hasItem }: Pick<Call<S>, 'format' | 'hasItem'>,
): Promise<readonly string[]> {
  const twins: string[] = [];
  for (const name of names) {
    const twin = `${name}.${format}`;
    if (await hasItem?.(twin)) twins.push(twin);
  }
  return twins;
}
