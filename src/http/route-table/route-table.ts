/** Builders for the route tables of families; the types follow from each row. */

import type { CollectionRoute, ErrorStyle, ExactName, FormatGroup, RouteTable } from '../routes/route.ts';
import type { Format } from '../serialization/format.ts';
import { createActionRows } from './actions.ts';
import { createChangeRows } from './changes.ts';
import { createCreateRows } from './creates.ts';
import { createListRows } from './lists.ts';
import { createReadRows } from './reads.ts';
import type { Row } from './row.ts';

/** Returns the row builders for handlers with the services `S`. */
export function createRouteBuilders<S>() {
  return {
    ...createReadRows<S>(),
    ...createListRows<S>(),
    ...createCreateRows<S>(),
    ...createChangeRows<S>(),
    ...createActionRows<S>(),

    /** A whole family. */
    family(
      name: string,
      options: {
        readonly description: string;
        readonly formats: readonly Format[];
        readonly formatGroup: FormatGroup;
        readonly errorStyle?: ErrorStyle;
        /** By the last path variable: whether a resource with exactly this name exists. */
        readonly exactNames?: Readonly<Record<string, ExactName<S>>>;
      },
      rows: readonly Row<S>[],
    ): RouteTable<S> {
      return {
        family: name,
        description: options.description,
        routes: rows.map((each) => {
          const last = each.path.split('/').at(-1) ?? '';
          const exactName = /^[:*]/.test(last) ? options.exactNames?.[last.slice(1)] : undefined;
          const common = {
            family: name,
            formats: options.formats,
            formatGroup: options.formatGroup,
            errorStyle: options.errorStyle ?? 'negotiated',
            exactName,
          } as const;
          return each.kind === 'collection'
            ? { ...each, ...common, items: findItems(each.path, rows, options.exactNames) }
            : { ...each, ...common };
        }),
      };
    },
  };
}

/** Finds the check for single entries of a list: by the variable that follows its path in another row. */
function findItems<S>(
  path: string,
  rows: readonly Row<S>[],
  exactNames: Readonly<Record<string, ExactName<S>>> = {},
): CollectionRoute<S>['items'] {
  const inside = rows.map((each) => each.path).filter((each) => each.startsWith(`${path}/:`));
  const [variable = ''] = inside.map((each) => each.slice(path.length + 2)).filter((each) => !each.includes('/'));
  const exists = exactNames[variable];
  return exists && { variable, exists };
}
