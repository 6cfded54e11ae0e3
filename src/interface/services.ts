/** What the handlers of every family are given. */
import type { Catalog } from '../catalog/catalog.ts';
import { routesFor } from '../http/route-table.ts';

export interface Services {
  readonly catalog: Catalog;
}

/** The row constructors of our families' tables. */
export const { get, getText, post, postEchoed, ask, put, putEchoed, del, family } = routesFor<Services>();
