/** Routes for the history of the configuration: the changes, their authors and the affected resources. */

import {
  createIntegerParameter,
  createTextParameter,
  createTextsParameter,
  type QueryParameter,
} from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import type { PrintedList } from '../../http/serialization/list-frame.ts';
import { formatChangeHead, formatChanges, formatItems, joinItems } from '../changes/format-change.ts';
import { findChanges } from '../changes/past-changes.ts';
import { family, get, type Services } from '../common/services.ts';
import { readFileRow } from './file-route.ts';
import { findChange, getOldestSequence } from './find-change.ts';
import { readHistoryPage, readShownChange } from './page.ts';
import { changeDocument, historyDocument } from './representation.ts';
import { undoRoutes } from './undo-routes.ts';

const LIMIT = 100;
/** The maximum page size; clients request the next page. */
const MAX_LIMIT = 1_000;

const numberParameter = (description: string) => createIntegerParameter(description, 0, Number.MAX_SAFE_INTEGER);

const order: QueryParameter<'asc' | 'desc'> = {
  description: 'Newest first (desc, default) or oldest first (asc).',
  schema: { type: 'string', enum: ['desc', 'asc'] },
  expected: 'desc or asc',
  parse: (value) => (value === 'asc' || value === 'desc' ? value : undefined),
  absent: 'desc',
};

function timeParameter(description: string): QueryParameter<number | null> {
  return {
    description,
    schema: { type: 'string', format: 'date-time' },
    expected: 'a time such as 2026-11-15T09:58:58.993Z',
    parse: (value) => {
      const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(value);
      const milliseconds = isTime ? Date.parse(value) : Number.NaN;
      return Number.isNaN(milliseconds) ? undefined : milliseconds;
    },
    absent: null,
  };
}

const items: QueryParameter<'all' | 'none'> = {
  description: 'none: without the resources of each change, which can be hundreds of thousands. Default: all.',
  schema: { type: 'string', enum: ['all', 'none'] },
  expected: 'all or none',
  parse: (value) => (value === 'all' || value === 'none' ? value : undefined),
  absent: 'all',
};

export function historyRoutes(): RouteTable<Services> {
  return family(
    'History',
    {
      description: 'Every change of the configuration, in order.',
      formats: ['json', 'html'],
      formatGroup: 'additions',
    },
    [
      get(
        '/history',
        'List changes, newest first',
        {
          returns: historyDocument,
          rejectsUnknownQuery: true,
          query: {
            after: numberParameter('Return only changes after this number.'),
            before: numberParameter('Return only changes before this number.'),
            order,
            items,
            limit: createIntegerParameter('Maximum number of changes; default: 100.', 1, MAX_LIMIT),
            who: createTextParameter('Return only changes by this user.'),
            kind: createTextsParameter('Return only changes of resources of this kind, such as workspace; repeatable.'),
            excludeKind: createTextsParameter(
              'Omit changes of resources of this kind only, such as apiToken; repeatable.',
            ),
            path: createTextsParameter(
              'Return only changes of the resource at this path and everything below it; repeatable.',
            ),
            from: timeParameter('Return only changes from this time on.'),
            to: timeParameter('Return only changes up to this time.'),
          },
        },
        async ({ services: { catalog }, query, format }) => {
          const limit = query.limit ?? LIMIT;
          const { kind, excludeKind, path, items: shownItems, ...narrowed } = query;
          const found = await findChanges(catalog.log, catalog.position(), {
            ...narrowed,
            limit,
            kinds: kind,
            excludedKinds: excludeKind,
            paths: path,
          });
          const changes = found.slice(0, limit);
          const last = found.length > limit ? changes.at(-1) : undefined;
          const next = last && { [query.order === 'desc' ? 'before' : 'after']: String(last.sequence) };
          if (format === 'html') {
            const filters = next && [...selectFilters(query), ...Object.entries(next)];
            return { resource: await readHistoryPage(catalog.log, changes, { items: shownItems, next: filters }) };
          }
          const tail = `],"position":${catalog.position()},"oldest":${await getOldestSequence(catalog)}}`;
          const list: PrintedList = {
            frame: { before: '{"changes":[', between: '', after: tail, empty: `{"changes":[${tail}` },
            pieces: formatChanges(catalog.log, changes, shownItems),
          };
          return { list: next === undefined ? list : { ...list, next } };
        },
      ),

      get(
        '/history/:sequence',
        'Read one change with each resource before and after it',
        { returns: changeDocument, rejectsUnknownQuery: true, problems: ['change-unknown'] },
        async ({ services: { catalog }, params: { sequence }, format }) => {
          const change = await findChange(catalog, sequence);
          if (format === 'html') return { resource: await readShownChange(catalog.log, change) };
          const before = formatChangeHead(change);
          return {
            list: {
              frame: { before, between: '', after: ']}', empty: `${before}]}` },
              pieces: joinItems(formatItems(catalog.log, change.sequence, { isWhole: true })),
            },
          };
        },
      ),

      readFileRow(),
      ...undoRoutes(),
    ],
  );
}

/** The parameters that all pages of a list share, as they are sent. */
function selectFilters(query: {
  readonly order: string;
  readonly items: string;
  readonly limit: number | null;
  readonly who: string | null;
  readonly kind: readonly string[];
  readonly excludeKind: readonly string[];
  readonly path: readonly string[];
  readonly from: number | null;
  readonly to: number | null;
}): readonly [string, string][] {
  const { order, items: shownItems, limit, who, kind, excludeKind, path, from, to } = query;
  const times = {
    from: from === null ? null : new Date(from).toISOString(),
    to: to === null ? null : new Date(to).toISOString(),
  };
  const shown = { order: order === 'asc' ? order : null, items: shownItems === 'none' ? shownItems : null };
  const sent = Object.entries({ ...shown, limit, who, kind, excludeKind, path, ...times });
  return sent.flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, String(each)]));
}
