/** Rows of a route table that list what there is, whole or page by page. */
import type { Page } from '../../lib/text/page.ts';
import type { Entries, ListWriter } from '../documents/listing.ts';
import type { QueryParameters, QueryValues } from '../request/query.ts';
import { type PageQuery, pagingParameters, readPage } from '../routes/paging.ts';
import type { Call, PathParameters } from '../routes/route.ts';
import { createRow, type Row, type RowOptions } from './row.ts';

/** What a listing comes to. */
export interface ListResult<R, D> {
  readonly entries: readonly R[];
  /** The resource that shows these entries, where they are not it themselves. */
  readonly as?: (entries: Entries<R>) => D;
  /** Whether their names are no resources, so that nothing links to them. */
  readonly isUnlinked?: boolean;
  readonly warnings?: readonly string[];
}

export function createListRows<S>() {
  return {
    /**
     * A listing. The handler reads the page it is asked for: all entries in whatever order they usually have, or those
     * after a name, as many as the limit, in code-point order.
     */
    list<P extends string, R, D, Q extends QueryParameters = Record<never, never>>(
      path: P,
      summary: string,
      options: RowOptions<Q> & { readonly answers: ListWriter<R, D> },
      handler: (call: Call<S, PathParameters<P>, QueryValues<Q>>, page: Page) => Promise<ListResult<R, D>>,
    ): Row<S> {
      const { answers } = options;
      const query = { ...options.query, ...pagingParameters };
      return createRow<S>(
        'GET',
        path,
        summary,
        { ...options, query },
        {
          answers,
          lists: true,
          success: 200,
          versioned: false,
          handle: async (call) => {
            const asked = call.query as PageQuery;
            const scope = JSON.stringify([path, call.params]);
            const { listed, next, headers } = await readPage(asked, scope, answers.getName, (page) =>
              handler(call as never, page),
            );
            const { entries, as, isUnlinked = false, warnings } = listed;
            const isPage = asked.limit !== null && answers.linksEntries === true && !isUnlinked;
            const twins = isPage ? await listFormatTwins(entries.map(answers.getName), call) : [];
            const shown: Entries<R> = twins.length === 0 ? entries : { items: entries, namesLikeFormats: twins };
            return {
              kind: 'found',
              resource: as === undefined ? shown : as(shown),
              headers,
              ...(next === undefined ? {} : { next }),
              ...(warnings === undefined ? {} : { warnings }),
            };
          },
        },
      );
    },
  };
}

/** Names that are like one of these with the extension of the reply: they change its link, also from another page. */
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
