/** How a family writes its route table, with types that follow from each row. */
import type { Format } from './formats/format.ts';
import type { ErrorStyle, ExactName, RouteTable } from './route.ts';
import { changeRows } from './route-rows/changes.ts';
import { createRows } from './route-rows/creates.ts';
import { readRows } from './route-rows/reads.ts';
import type { Row } from './route-rows/row.ts';
import type { FormatGroup } from './wire-dialect.ts';

/** The row constructors for handlers that are given the services `S`. */
export function routesFor<S>() {
  return {
    ...readRows<S>(),
    ...createRows<S>(),
    ...changeRows<S>(),

    /** A whole family. */
    family(
      name: string,
      options: {
        readonly description: string;
        readonly formats: readonly Format[];
        readonly formatGroup: FormatGroup;
        readonly errorStyle?: ErrorStyle;
        /** By name of a path's last variable: whether a resource of exactly that name exists. */
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
          return {
            ...each,
            family: name,
            formats: options.formats,
            formatGroup: options.formatGroup,
            errorStyle: options.errorStyle ?? 'asked',
            ...(exactName === undefined ? {} : { exactName }),
          };
        }),
      };
    },
  };
}
