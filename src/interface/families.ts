/** Every family of the interface, in the order people meet them. */
import type { Dialect } from '../dialects.ts';
import type { RouteTable } from '../http/route.ts';
import { contentsRoutes } from './contents/routes.ts';
import { namespaceRoutes } from './namespaces/routes.ts';
import type { Services } from './services.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

export function families(dialect: Dialect, version: string): readonly RouteTable<Services>[] {
  const tables = [workspaceRoutes(dialect), namespaceRoutes(dialect)];
  return [contentsRoutes(tables, dialect, version), ...tables];
}
